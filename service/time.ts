/** A date with a time of day in ISO 8601, entirely in the extended or in the basic format. */
const timestampPattern = (dash: string, colon: string): RegExp =>
  new RegExp(
    [
      String.raw`^(?<year>\d{4})${dash}`,
      String.raw`(?:(?<month>\d\d)${dash}(?<day>\d\d)|W(?<week>\d\d)${dash}(?<weekday>[1-7])|(?<dayOfYear>\d{3}))`,
      String.raw`T(?<hour>\d\d)(?:${colon}(?<minute>\d\d)(?:${colon}(?<second>\d\d))?)?(?:[.,](?<fraction>\d+))?`,
      // Many clients write an offset without a colon after an extended time.
      String.raw`(?<zone>Z|[+-]\d\d(?::?\d\d)?)?$`,
    ].join(''),
    'i',
  )

const timestampPatterns = [timestampPattern('-', ':'), timestampPattern('', '')]

const firstInstant = Date.parse('0000-01-01T00:00:00Z')

/** The last instant with a four-digit year. */
export const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/** The format of instants in answers (`open.timestampForm`). */
type TimestampForm = 'shortest' | 'milliseconds'

/** The numbers that a pattern has matched. */
type Numbers = [number, number, number, number, number]

/** Describes what parseTimestamp accepts, for error messages. */
export const timestampsRead =
  'a date and a time of day in ISO 8601, like 2026-01-01T00:00:00Z, without hour 24 and leap seconds'

/**
 * Parses an ISO 8601 date and time to milliseconds since the epoch. A value without a zone is UTC. Invalid days,
 * leap seconds and hour 24 are refused.
 */
export const parseTimestamp = (text: string): number | undefined => {
  const parts = timestampPatterns.map((pattern) => pattern.exec(text)?.groups).find(Boolean)
  const day = parts && dayOf(parts)
  const time = parts && timeOf(parts)
  const offset = zoneOffset(parts?.['zone'])
  if (day === undefined || time === undefined || offset === undefined) return undefined
  const instant = day + time - offset
  // An offset can lead to a year that does not have four digits.
  return instant < firstInstant || instant > lastInstant ? undefined : instant
}

type Parts = Readonly<Record<string, string | undefined>>

/** The start of a day that is given by month, week, or day of the year. */
const dayOf = (parts: Parts): number | undefined => {
  const { month = 1, day, week, weekday, dayOfYear } = parts
  const year = Number(parts['year'])
  if (week === undefined) {
    const start = startOfDay(year, Number(month), Number(day ?? dayOfYear))
    const real = new Date(start)
    // A month or day that rolled over is invalid.
    const isReal =
      real.getUTCFullYear() === year && (day === undefined || real.getUTCMonth() === Number(month) - 1)
    return isReal ? start : undefined
  }
  // The first week of a year contains January 4, and each week belongs to the year of its Thursday.
  const beforeMonday = (new Date(startOfDay(year, 1, 4)).getUTCDay() + 6) % 7
  const monday = 4 - beforeMonday + (Number(week) - 1) * 7
  const isReal = new Date(startOfDay(year, 1, monday + 3)).getUTCFullYear() === year
  return isReal ? startOfDay(year, 1, monday + Number(weekday) - 1) : undefined
}

/** Not Date.UTC, which shifts years up to 99. */
const startOfDay = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month - 1, day)

/** The milliseconds since the start of the day; a fraction belongs to the last element that is given. */
const timeOf = ({ hour, minute, second, fraction = '' }: Parts): number | undefined => {
  const [hours, minutes, seconds] = [hour, minute, second].map((part) => Number(part ?? 0)) as Numbers
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined
  const unit = second === undefined ? (minute === undefined ? 3_600_000 : 60_000) : 1000
  const digits = fraction.slice(0, 9)
  const rest = Math.trunc((Number(digits) * unit) / 10 ** digits.length)
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest
}

const zoneOffset = (zone: string | undefined): number | undefined => {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', ''))
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/** Whether a timestamp has a fraction (`open.fractionalTimestamps`). */
export const isFractional = (text: string): boolean => /[.,]\d/.test(text)

/** Formats an instant in UTC with `Z`. */
export const formatTimestamp = (instant: number, form: TimestampForm = 'shortest'): string => {
  const text = new Date(instant).toISOString()
  return form === 'shortest' ? text.replace('.000Z', 'Z') : text
}

const durationPattern = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,3}))?S)?)?$/

/** Parses an ISO 8601 duration of weeks, days, hours, minutes and seconds to milliseconds. */
export const parseDuration = (text: string): number | undefined => {
  const match = durationPattern.exec(text)
  if (!match || !/\d/.test(text) || text.endsWith('T')) return undefined
  const [weeks, days, hours, minutes, seconds] = match.slice(1, 6).map((part) => Number(part ?? 0)) as Numbers
  const wholeSeconds = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds
  const total = wholeSeconds * 1000 + Number((match[6] ?? '').padEnd(3, '0'))
  return Number.isSafeInteger(total) ? total : undefined
}
