import { RRuleTemporal } from 'rrule-temporal'
import { isInstant } from './generated/instant.ts'

/** Milliseconds of an instant, or of the start of a date in the zone. */
export const momentOf = (text: string, timezone: string): number => {
  if (isInstant(text)) return Date.parse(text)
  // Uses the library's calendar, because Node 24 has no Temporal.
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

/** The library's representation of a local time: an object that formats itself as one. */
export const local = (text: string, timezone: string): Start => ({
  timeZoneId: timezone,
  toString: () => `${text}[${timezone}]`,
})
