import { DAY_MS } from './duration.ts'

/** The name of an IANA time zone as the system spells it; nothing where the text is none. */
export const canonicalZone = (name: string): string | undefined => {
  // An offset such as +01:00 would be taken below, and knows no change of clocks.
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Date and time that clocks in a zone show at an instant, in milliseconds: `2026-12-05T02:00:00`. */
export const wallClockAt = (moment: number, timeZone: string): string => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return format.format(moment).replace(' ', 'T').padStart('0000-00-00T00:00:00'.length, '0')
}

/** Whether clocks in the zone ever show this time: some offset of the two days around it leads back to it. */
export const isShown = (text: string, timeZone: string): boolean => {
  const asUtc = Date.parse(`${text}Z`)
  return [-1, 0, 1].some((days) => {
    const near = asUtc + days * DAY_MS
    const offset = Date.parse(`${wallClockAt(near, timeZone)}Z`) - near
    return wallClockAt(asUtc - offset, timeZone) === text
  })
}
