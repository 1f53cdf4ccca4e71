import { RRuleTemporal } from 'rrule-temporal'
import { isInstant } from './generated/instant.ts'
import { DAY_MS } from './generated/recurrence/duration.ts'

/** Milliseconds of an instant, or of the begin of a date in the zone. */
export const momentOf = (text: string, timezone: string): number => {
  if (isInstant(text)) return Date.parse(text)
  // The library has the one calendar at hand that knows zones: Node 24 has no Temporal of its own.
  const day = new RRuleTemporal({
    rruleString: 'FREQ=DAILY;COUNT=1',
    dtstart: local(`${text}T00:00:00`, timezone),
  })
  return day.all()[0]?.epochMilliseconds ?? Number.NaN
}

export interface Start {
  readonly timeZoneId: string
  toString(): string
}

/** What the library takes for a time in a zone: a thing that writes itself so. */
export const local = (text: string, timezone: string): Start => ({
  timeZoneId: timezone,
  toString: () => `${text}[${timezone}]`,
})

export const instantOf = (moment: number): string => new Date(moment).toISOString().replace('.000Z', 'Z')

/** Date and time that clocks in a zone show at an instant. */
export const wallClockAt = (moment: number, timezone: string): string => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  return format.format(moment).replace(' ', 'T')
}

/** Whether clocks in the zone ever show this time: some offset of the two days around it leads back to it. */
export const isShown = (text: string, timezone: string): boolean => {
  const asUtc = Date.parse(`${text}Z`)
  return [-1, 0, 1].some((days) => {
    const near = asUtc + days * DAY_MS
    const offset = Date.parse(`${wallClockAt(near, timezone)}Z`) - near
    return wallClockAt(asUtc - offset, timezone) === text
  })
}
