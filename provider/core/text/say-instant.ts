const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/

/** Epoch milliseconds of a text in the API's format of instants. */
export const instantOf = (value: unknown): number | undefined => {
  if (typeof value !== 'string' || !INSTANT.test(value)) return undefined
  const at = Date.parse(value)
  return at <= LAST ? at : undefined
}
/** The end of the year 9999: later instants, and invalid ones, cannot be formatted. */
const LAST = 253_402_300_799_999

/** Until when something lasts, for people, rounded up to whole seconds: the current second counts as past. */
export const sayInstant = (instant: string): string => inUtc(Math.ceil(Date.parse(instant) / SECOND) * SECOND)

/**
 * When something happened, for people: always with seconds, because a whole minute would look rounded. Text that is no
 * instant stays as it is.
 */
export const sayMoment = (text: string): string => {
  const at = instantOf(text)
  return at === undefined ? text : inUtc(at)
}

const SECOND = 1000

/** `2026-12-05 02:00:01 UTC`. */
const inUtc = (at: number): string => {
  const iso = new Date(at).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}
