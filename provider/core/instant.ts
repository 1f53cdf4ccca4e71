const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|[+-](\d\d):(\d\d))$/

const day = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/
const time = /^\d{4}-\d\d-\d\d[Tt ](\d\d):(\d\d)(?::(\d\d))?(?!\d)/

const isDay = (year: number, month: number, dayOfMonth: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, dayOfMonth))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === dayOfMonth
}
const isTime = (hour: number, minute: number, second: number): boolean =>
  hour < 24 && minute < 60 && second < 60

/** Which part of a date and time does not exist, although its form is correct. */
export const nowhereIn = (text: string): 'day' | 'time' | undefined => {
  const numbersOf = (pattern: RegExp): number[] | undefined =>
    pattern
      .exec(text)
      ?.slice(1)
      .map((part: string | undefined) => Number(part ?? 0))
  const [year, month = 0, dayOfMonth = 0] = numbersOf(day) ?? []
  if (year !== undefined && !isDay(year, month, dayOfMonth)) return 'day'
  const [hour, minute = 0, second = 0] = numbersOf(time) ?? []
  return hour !== undefined && !isTime(hour, minute, second) ? 'time' : undefined
}

/** Whether the text is a date and time with a zone. `Date.parse` alone reads February 30 as March 2. */
export const isInstant = (text: string): boolean => {
  const parts = form.exec(text)
  if (parts === null) return false
  const part = (group: number): number => Number(parts[group] ?? 0)
  return isDay(part(1), part(2), part(3)) && isTime(part(4), part(5), part(6)) && part(7) < 24 && part(8) < 60
}

/** Without a zone, JavaScript would take it for the local time of this machine. */
const withoutZone = /^\d{4}-\d\d-\d\d[Tt ][\d:.]+$/

/** Milliseconds since the epoch. The service also answers dates without a zone, which are in UTC. */
export const parseInstant = (text: string): number => Date.parse(withoutZone.test(text) ? `${text}Z` : text)

/** Down to the second: queries and events have no fractions. */
export const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000

/** UTC; whole seconds have no fraction, because not every service takes one. */
export const formatInstant = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')
