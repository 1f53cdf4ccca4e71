/** A length in weeks and days of the calendar, and in hours, minutes and seconds of the clock. */
export interface Duration {
  readonly weeks: number
  readonly days: number
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
}

const FORM = /^P(?:(\d{1,3})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/

/** Reads `PT2H`, `PT1H30M`, `P1D`; months and years have no length of their own and are not taken. */
export const parseDuration = (text: string): Duration | undefined => {
  const match = FORM.exec(text)
  if (match === null || text.endsWith('T')) return undefined
  const [weeks, days, hours, minutes, seconds] = [1, 2, 3, 4, 5].map((group) => Number(match[group] ?? 0))
  const duration = {
    weeks: weeks ?? 0,
    days: days ?? 0,
    hours: hours ?? 0,
    minutes: minutes ?? 0,
    seconds: seconds ?? 0,
  }
  return Object.values(duration).some((part) => part > 0) ? duration : undefined
}
