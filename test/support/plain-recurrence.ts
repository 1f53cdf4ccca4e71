/**
 * A second computation of recurrences, by the simplest search: every day from the first on is asked whether the rule
 * has it, and every quarter of an hour whether clocks show the time then.
 */

const DAY = 86_400_000
const QUARTER = 900_000
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** The parts of a rule, as it writes them. */
export type Parts = Readonly<Partial<Record<string, string>>>

interface Asked {
  readonly parts: Parts
  readonly timezone: string
  /** The local time from which the rule counts: `2027-01-04T02:00`. */
  readonly from: string
  /** The last day that is looked at. */
  readonly until: string
}

/** The instants at which a rule occurs; its hours are those of `BYHOUR`. */
export const plainOccurrences = ({ parts, timezone, from, until }: Asked): string[] => {
  const first = dayOf(from)
  const periods = new Map<number, string[]>()
  // The period of the first occurrence may have begun before it, which counts for BYSETPOS.
  for (let day = first - 366 * DAY; day <= dayOf(until); day += DAY) {
    const period = periodOf(day, parts) - periodOf(first, parts)
    if (period < 0 || period % Number(parts['INTERVAL'] ?? 1) !== 0 || !isOf(day, parts)) continue
    periods.set(period, [...(periods.get(period) ?? []), ...timesOf(day, parts, from)])
  }
  const found = [...periods.values()].flatMap((times) => {
    const shown = times.filter((time) => shownAt(time, timezone) !== undefined)
    const positions = numbers(parts['BYSETPOS'])
    return shown.filter(
      (_, index) =>
        positions.length === 0 || positions.includes(index + 1) || positions.includes(index - shown.length),
    )
  })
  return found
    .filter((time) => time >= from)
    .slice(0, Number(parts['COUNT'] ?? Number.POSITIVE_INFINITY))
    .map((time) => iso(shownAt(time, timezone) ?? 0))
}

const numbers = (list: string | undefined): number[] => list?.split(',').map(Number) ?? []
const dayOf = (text: string): number => Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
const iso = (at: number): string => new Date(at).toISOString().replace('.000', '')
const mondayOf = (day: number): number => day - ((new Date(day).getUTCDay() + 6) % 7) * DAY
/** The week with the 4th of January is the first of its year. */
const firstWeekOf = (year: number): number => mondayOf(Date.UTC(year, 0, 4))
const weekYearOf = (day: number): number => new Date(mondayOf(day) + 3 * DAY).getUTCFullYear()

const periodOf = (day: number, { FREQ, BYWEEKNO }: Parts): number => {
  const date = new Date(day)
  if (FREQ === 'DAILY') return day / DAY
  if (FREQ === 'WEEKLY') return mondayOf(day) / (7 * DAY)
  if (FREQ === 'MONTHLY') return date.getUTCFullYear() * 12 + date.getUTCMonth()
  return BYWEEKNO === undefined ? date.getUTCFullYear() : weekYearOf(day)
}

const has = (list: string | undefined, ...values: (number | string)[]): boolean =>
  list === undefined || list.split(',').some((each) => values.map(String).includes(each))

const isOf = (day: number, { BYMONTH, BYMONTHDAY, BYDAY, BYWEEKNO }: Parts): boolean => {
  const date = new Date(day)
  const [month, number] = [date.getUTCMonth() + 1, date.getUTCDate()]
  const length = new Date(Date.UTC(date.getUTCFullYear(), month, 0)).getUTCDate()
  const year = weekYearOf(day)
  const week = (mondayOf(day) - firstWeekOf(year)) / (7 * DAY) + 1
  const weeks = (firstWeekOf(year + 1) - firstWeekOf(year)) / (7 * DAY)
  const name = DAYS[date.getUTCDay()] ?? ''
  const names = [name, `${Math.ceil(number / 7)}${name}`, `-${Math.ceil((length - number + 1) / 7)}${name}`]
  return (
    has(BYMONTH, month) &&
    has(BYMONTHDAY, number, number - length - 1) &&
    has(BYDAY, ...names) &&
    has(BYWEEKNO, week, week - weeks - 1)
  )
}

const timesOf = (day: number, { BYHOUR, BYMINUTE }: Parts, from: string): string[] =>
  numbers(BYHOUR)
    .flatMap((hour) =>
      numbers(BYMINUTE ?? from.slice(14)).map((minute) => iso(day + hour * 4 * QUARTER + minute * 60_000)),
    )
    .map((text) => text.slice(0, 16))
    .toSorted()

const known = new Map<string, number | undefined>()
const clocks = new Map<string, Intl.DateTimeFormat>()

/** The first instant at which clocks in the zone show a local time, of whole quarters of an hour. */
const shownAt = (time: string, timeZone: string): number | undefined => {
  const key = `${timeZone} ${time}`
  if (!known.has(key)) known.set(key, searched(time, timeZone))
  return known.get(key)
}

const searched = (time: string, timeZone: string): number | undefined => {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  clocks.set(timeZone, clock)
  const asUtc = Date.parse(`${time}Z`)
  for (let at = asUtc - 56 * QUARTER; at <= asUtc + 56 * QUARTER; at += QUARTER)
    if (clock.format(at).replace(' ', 'T') === time) return at
  return undefined
}
