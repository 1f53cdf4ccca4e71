import { RRuleTemporal } from 'rrule-temporal'
import { isInstant } from './generated/instant.ts'

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
