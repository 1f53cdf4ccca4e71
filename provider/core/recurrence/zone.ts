import { DAY_MS } from './duration.ts'
import { wholeSecond } from '../instant.ts'

/** The name of an IANA time zone as the system spells it; undefined if there is none. */
export const canonicalZone = (name: string): string | undefined => {
  // An offset such as +01:00 would be accepted below, but has no clock changes.
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return clockOf(name).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Date and time that clocks in a zone show at an instant in milliseconds: `2026-12-05T02:00:00`. */
export const wallClockAt = (moment: number, timeZone: string): string =>
  clockOf(timeZone).format(moment).replace(' ', 'T').padStart('0000-00-00T00:00:00'.length, '0')

/** Making a formatter costs more than all its uses; there is one for each zone in use. */
const clocks = new Map<string, Intl.DateTimeFormat>()
const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(timeZone, clock)
  return clock
}

/** The instants at which clocks in the zone show this time, in milliseconds, earliest first: none, one, or two. */
export const instantsShownAs = (text: string, timeZone: string): readonly number[] => {
  const asUtc = Date.parse(`${text}Z`)
  // One of the offsets of the days around it leads back to it.
  const found = [-1, 0, 1].map((days) => asUtc - offsetMs(asUtc + days * DAY_MS, timeZone))
  return [...new Set(found)].filter((at) => wallClockAt(at, timeZone) === text).toSorted((a, b) => a - b)
}

/** Whether clocks in the zone ever show this time. */
export const isShown = (text: string, timeZone: string): boolean => instantsShownAs(text, timeZone).length > 0

const offsetMs = (moment: number, timeZone: string): number => {
  const shown = wallClockAt(moment, timeZone)
  // Behind the year 9999, a date has a sign and six digits.
  const isLonger = shown.length > '0000-00-00T00:00:00'.length
  return Date.parse(`${isLonger ? `+0${shown}` : shown}Z`) - moment
}

/** How far clocks in the zone are ahead of UTC at an instant: `+02:00`. */
export const offsetAt = (moment: number, timeZone: string): string => {
  const minutes = Math.round(offsetMs(wholeSecond(moment), timeZone) / 60_000)
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`
}

const two = (part: number): string => String(part).padStart(2, '0')
