/** Until when something lasts, for people, rounded up to whole seconds: the current second counts as past. */
export const sayInstant = (instant: string): string => inUtc(Math.ceil(Date.parse(instant) / SECOND) * SECOND)

/** When something happened, for people; text that is no instant stays as it is. */
export const sayMoment = (instant: string): string => {
  const at = Date.parse(instant)
  return Number.isNaN(at) ? instant : inUtc(at)
}

const SECOND = 1000

/** `2026-12-05 02:00:01 UTC`. */
const inUtc = (at: number): string => {
  const iso = new Date(at).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}
