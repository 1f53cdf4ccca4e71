/** The parts of an ISO 8601 duration; weeks are counted in days. */
export interface Duration {
  readonly years: number
  readonly months: number
  readonly days: number
  readonly seconds: number
}

const form =
  /^P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/
/** More digits are a mistake, and too large for date arithmetic. */
const MOST_DIGITS = 6

/** Parses `P30D`, `PT2H` and the like; undefined if the text is no duration, or a duration of zero. */
export const parseDuration = (text: string): Duration | undefined => {
  const parts = form.exec(text)
  if (parts === null || parts.some((part, index) => index > 0 && (part?.length ?? 0) > MOST_DIGITS))
    return undefined
  const part = (group: number): number => Number(parts[group] ?? 0)
  const duration = {
    years: part(1),
    months: part(2),
    days: part(3) * 7 + part(4),
    seconds: part(5) * 3600 + part(6) * 60 + part(7),
  }
  return Object.values(duration).some((amount) => amount > 0) ? duration : undefined
}

/** The instant that is a duration after another, by the calendar of UTC. */
export const after = (instant: Date, { years, months, days, seconds }: Duration): Date => {
  const at = new Date(instant)
  const day = at.getUTCDate()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + years * 12 + months)
  // The 31st of a shorter month is its last day, not a day of the next month.
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(day, lastDay))
  return new Date(at.getTime() + days * DAY_MS + seconds * 1000)
}

export const DAY_MS = 86_400_000

const MOST_DAYS = 366

/** Why a text cannot be the length of a window; undefined if it can. */
export const refusalOfLength = (text: string): string | undefined => {
  const duration = parseDuration(text)
  if (duration === undefined)
    return `"${text}" is not an ISO 8601 duration of at least one second, such as PT2H`
  const { years, months, days, seconds } = duration
  // Years and months have no fixed length that could end a window.
  if (years > 0 || months > 0)
    return `"${text}" has years or months, which differ in length: give weeks, days or hours, such as P30D`
  return days * DAY_MS + seconds * 1000 > MOST_DAYS * DAY_MS
    ? `a window of ${text} is too long; the maximum is ${MOST_DAYS} days`
    : undefined
}
