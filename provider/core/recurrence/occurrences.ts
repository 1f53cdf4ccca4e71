import { RRuleTemporal } from 'rrule-temporal'
import { DAY_MS } from './duration.ts'
import {
  inOurWords,
  isGivenUp,
  LONGEST_SEARCH_YEARS,
  MOST_OCCURRENCES,
  textFrom,
  timesADay,
  wellBefore,
  type LocalRule,
} from './rule-text.ts'
import type { Schedule } from './schedule.ts'

export interface Occurrence {
  readonly start: Date
  readonly end: Date
}

/** Occurrences, or why they cannot be computed: a sentence without its period. */
export type Occurrences = readonly Occurrence[] | string

/**
 * Occurrences that begin between two instants, both included. By RFC 5545, an occurrence at a local time that clocks
 * skip does not take place, and at a repeated local time the first one counts.
 */
export const occurrencesBetween = (schedule: Schedule, from: Date, to: Date): Occurrences => {
  try {
    const first = schedule.anchor ?? wellBefore(from)
    const rule = new RRuleTemporal({ rruleString: textFrom(first, schedule.rule, schedule.timezone) })
    const found = new Map<number, Occurrence>()
    // In steps, so that a far too dense rule is noticed before all of it is computed.
    const step = Math.max(1, Math.floor(MOST_OCCURRENCES / timesADay(schedule.rule))) * DAY_MS
    // From the first days of January, the library does not see the week of the year before that they belong to.
    const lead = schedule.rule.has('BYWEEKNO') ? 7 * DAY_MS : 0
    for (let at = from.getTime(); at <= to.getTime(); at += step) {
      const until = Math.min(at + step, to.getTime())
      for (const start of rule.between(new Date(at - lead), new Date(until), true))
        if (start.epochMilliseconds >= at)
          found.set(start.epochMilliseconds, {
            start: new Date(start.epochMilliseconds),
            end: new Date(start.add(schedule.duration).epochMilliseconds),
          })
      if (found.size > MOST_OCCURRENCES)
        return `the rule has more than ${MOST_OCCURRENCES.toLocaleString('en')} occurrences within its horizon; make the horizon shorter`
    }
    return [...found.values()].toSorted((a, b) => a.start.getTime() - b.start.getTime())
  } catch (error) {
    return `the rule cannot be worked out: ${inOurWords((error as Error).message)}`
  }
}

/** Why the rule breaks RFC 5545; undefined if it does not. */
export const refusalOf = ({ rule, timezone, anchor = '20000101T000000' }: LocalRule): string | undefined => {
  // A date is a fine UNTIL for people, but not beside a local time in the standard's strict reading.
  const strict = new Map([...rule].filter(([name, value]) => name !== 'UNTIL' || value.includes('T')))
  try {
    return void new RRuleTemporal({ rruleString: textFrom(anchor, strict, timezone), strict: true })
  } catch (error) {
    return (error as Error).message
  }
}

/** Whether the rule ever has an occurrence, whatever today's date is. */
export const everOccurs = ({ rule, timezone, anchor }: LocalRule): boolean => {
  const first = anchor ?? SOME_DAY
  // A rule with a first occurrence and an UNTIL ends its own search, even if that end is past.
  const ends = anchor !== undefined && rule.has('UNTIL')
  const year = Math.min(Number(first.slice(0, 4)) + LONGEST_SEARCH_YEARS, 9999)
  const last = `${String(year).padStart(4, '0')}1231T235959Z`
  // Without an end, the library would search endlessly for a rule that never comes true.
  const bounded = ends
    ? rule
    : new Map([...rule, ['UNTIL', last] as const].filter(([name]) => name !== 'COUNT'))
  try {
    let found = false
    new RRuleTemporal({ rruleString: textFrom(first, bounded, timezone) }).all(() => {
      found = true
      return false
    })
    return found
  } catch (error) {
    if (isGivenUp((error as Error).message)) return false
    throw error
  }
}
const SOME_DAY = '20260101T000000'
