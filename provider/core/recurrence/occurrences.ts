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

/** A rule with where, and from when on, it counts. */
type RuleInZone = Pick<Schedule, 'rule' | 'timezone' | 'anchor'>

/** Occurrences, or why there are none to be had: a sentence without its full stop. */
export type Occurrences = readonly Occurrence[] | string

/**
 * What begins from one instant to another, both included. By RFC 5545 an occurrence at a local time that
 * clocks are moved over does not take place, and at a repeated local time the first one counts.
 */
export const occurrencesBetween = (schedule: Schedule, from: Date, to: Date): Occurrences => {
  try {
    const rule = ruleFor(schedule, from)
    const found = new Map<number, Occurrence>()
    // In stretches, so a rule that is far too dense is noticed before all of it is worked out.
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

/** Why the rule breaks RFC 5545; nothing if it keeps to it. */
export const refusalOf = ({ rule, timezone, anchor = '20000101T000000' }: RuleInZone): string | undefined => {
  // A date is a fine UNTIL for people, and none beside a local time for the standard's strict reading.
  const strict = new Map([...rule].filter(([name, value]) => name !== 'UNTIL' || value.includes('T')))
  try {
    return void new RRuleTemporal({ rruleString: textFor(strict, timezone, anchor), strict: true })
  } catch (error) {
    return (error as Error).message
  }
}

/** Whether the rule ever has an occurrence; where it says its last day, without regard to today. */
export const everOccurs = ({ rule, timezone, anchor }: RuleInZone): boolean => {
  const first = anchor ?? SOME_DAY
  // A rule with a first occurrence and an UNTIL ends its own search, also where that end is past.
  const ends = anchor !== undefined && rule.has('UNTIL')
  const last = `${Number(first.slice(0, 4)) + LONGEST_SEARCH_YEARS}1231T235959Z`
  // Without an end, the library would look for a rule that never comes true as long as it is let.
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
 * Where no first occurrence is given, nothing of the rule depends on one: a midnight long enough before what
 * is asked for serves, and costs less than one of long ago.
 */
const ruleFor = ({ rule, timezone, anchor }: Schedule, from: Date): RRuleTemporal => {
  const first = anchor ?? `${String(from.getUTCFullYear() - 1).padStart(4, '0')}0101T000000`
  return new RRuleTemporal({ rruleString: textFor(rule, timezone, first) })
}

const textFor = (rule: RuleParts, timezone: string, first: string): string =>
  `DTSTART;TZID=${timezone}:${first}\nRRULE:${textOfRule(rule)}`
