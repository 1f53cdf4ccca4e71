import { RRuleTemporal } from 'rrule-temporal'
import { DAY_MS } from './duration.ts'
import {
  inOurWords,
  isGivenUp,
  LONGEST_SEARCH_YEARS,
  MOST_OCCURRENCES,
  textOfRule,
  timesADay,
  type RuleParts,
} from './rule-text.ts'
import type { Schedule } from './schedule.ts'

export interface Occurrence {
  readonly start: Date
  readonly end: Date
}

/** A rule with its zone and the first occurrence that it counts from. */
type RuleInZone = Pick<Schedule, 'rule' | 'timezone' | 'anchor'>

/** Occurrences, or why they cannot be computed: a sentence without its period. */
export type Occurrences = readonly Occurrence[] | string

/**
 * Occurrences that begin between two instants, both included. By RFC 5545, an occurrence at a local time that clocks
 * skip does not take place, and at a repeated local time the first one counts.
 */
export const occurrencesBetween = (schedule: Schedule, from: Date, to: Date): Occurrences => {
  try {
    const rule = ruleFor(schedule, from)
    const found = new Map<number, Occurrence>()
    // In steps, so that a far too dense rule is noticed before all of it is computed.
    const step = Math.max(1, Math.floor(MOST_OCCURRENCES / timesADay(schedule.rule))) * DAY_MS
    for (let at = from.getTime(); at <= to.getTime(); at += step) {
      const until = Math.min(at + step, to.getTime())
      for (const start of rule.between(new Date(at), new Date(until), true))
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
export const refusalOf = ({ rule, timezone, anchor = '20000101T000000' }: RuleInZone): string | undefined => {
  // A date is a fine UNTIL for people, but not beside a local time in the standard's strict reading.
  const strict = new Map([...rule].filter(([name, value]) => name !== 'UNTIL' || value.includes('T')))
  try {
    return void new RRuleTemporal({ rruleString: textFor(strict, timezone, anchor), strict: true })
  } catch (error) {
    return (error as Error).message
  }
}

/** Whether the rule ever has an occurrence, whatever today's date is. */
export const everOccurs = ({ rule, timezone, anchor }: RuleInZone): boolean => {
  const first = anchor ?? SOME_DAY
  // A rule with a first occurrence and an UNTIL ends its own search, even if that end is past.
  const ends = anchor !== undefined && rule.has('UNTIL')
  const last = `${Number(first.slice(0, 4)) + LONGEST_SEARCH_YEARS}1231T235959Z`
  // Without an end, the library would search endlessly for a rule that never comes true.
  const bounded = ends
    ? rule
    : new Map([...rule, ['UNTIL', last] as const].filter(([name]) => name !== 'COUNT'))
  try {
    let found = false
    new RRuleTemporal({ rruleString: textFor(bounded, timezone, first) }).all(() => {
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

/**
 * If no first occurrence is given, nothing in the rule depends on one: a midnight well before `from` serves, and
 * costs less than one long ago.
 */
const ruleFor = ({ rule, timezone, anchor }: Schedule, from: Date): RRuleTemporal => {
  const first = anchor ?? `${String(from.getUTCFullYear() - 1).padStart(4, '0')}0101T000000`
  return new RRuleTemporal({ rruleString: textFor(rule, timezone, first) })
}

const textFor = (rule: RuleParts, timezone: string, first: string): string =>
  `DTSTART;TZID=${timezone}:${first}\nRRULE:${textOfRule(rule)}`
