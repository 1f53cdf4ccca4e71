import { RRuleTemporal } from 'rrule-temporal'
import {
  inOurWords,
  MOST_OCCURRENCES,
  parseRule,
  textOfRule,
  type RuleParts,
} from './generated/recurrence/rule-text.ts'
import { leftOutBetween } from './generated/recurrence/left-out.ts'
import { wallClockAt } from './generated/recurrence/zone.ts'
import type { Recurrence } from './recurrence.ts'
import { instantOf, local, momentOf, type Start } from './zone.ts'

export interface Occurrence {
  readonly startDate: string
  readonly endDate: string
}

export interface Occurrences {
  readonly occurrences: readonly Occurrence[]
  /** Local times that the rule asks for and that a clock put forward never shows; RFC 5545 leaves them out. */
  readonly skipped: readonly string[]
}

/** All occurrences of a checked recurrence, or why there are none. */
export const occurrencesOf = (recurrence: Recurrence): Occurrences | string => {
  try {
    const found = expand(recurrence)
    if (found.occurrences.length > 0) return found
    const { from, until, timezone } = recurrence
    const nothing = `nothing occurs from ${from} until ${until}`
    return found.skipped.length === 0
      ? nothing
      : `${nothing}, because it would be at ${found.skipped.join(', ')}: ${leftOut(timezone)}`
  } catch (error) {
    // The library says in its errors what it cannot do with a rule.
    return inOurWords(error instanceof Error ? error.message : String(error))
  }
}

/** What clocks do to local times. */
export const leftOut = (timezone: string): string => `clocks in ${timezone} skip that time`

const expand = (recurrence: Recurrence): Occurrences => {
  const { timezone, duration } = recurrence
  const rule = parseRule(recurrence.rrule) as RuleParts
  const from = momentOf(recurrence.from, timezone)
  const until = momentOf(recurrence.until, timezone)
  const anchor = recurrence.anchor === undefined ? from : momentOf(recurrence.anchor, timezone)
  const begin = local(instantOf(anchor), timezone)
  const first = wallClockAt(anchor, timezone).replaceAll(/[-:]/g, '')
  // What begins at the end is none of it.
  const skipped = leftOutBetween({ rule, timezone, anchor: first }, new Date(from), new Date(until - 1))
  // An end of its own may lie far behind `until`: what never comes true would be searched for up to there.
  if (startsOf(ruleFrom(endless(rule), begin, until), { from: anchor, until }, 1).length === 0)
    return { occurrences: [], skipped }
  const starts = startsOf(ruleFrom(rule, begin, until), { from, until })
  const occurrences = starts.map((at) => ({
    startDate: instantOf(at.epochMilliseconds),
    endDate: instantOf(at.add(duration).epochMilliseconds),
  }))
  return { occurrences, skipped }
}

const endless = (rule: RuleParts): RuleParts =>
  new Map([...rule].filter(([name]) => name !== 'COUNT' && name !== 'UNTIL'))

type Zoned = ReturnType<RRuleTemporal['all']>[number]
interface Span {
  readonly from: number
  readonly until: number
}

const startsOf = (rule: RRuleTemporal, { from, until }: Span, most = Number.POSITIVE_INFINITY): Zoned[] => {
  const starts: Zoned[] = []
  rule.all((at) => {
    if (at.epochMilliseconds >= until) return false
    if (at.epochMilliseconds >= from) starts.push(at)
    if (starts.length > MOST_OCCURRENCES)
      throw new RangeError(`more than ${MOST_OCCURRENCES} occurrences between from and until`)
    return starts.length < most
  })
  return starts
}

const ruleFrom = (rule: RuleParts, dtstart: Start, until: number): RRuleTemporal => {
  const options = { dtstart, tzid: dtstart.timeZoneId }
  // The strict reading finds parts that do not go together. It has no UNTIL that is a date beside a local time.
  const strict = new Map([...rule].filter(([name, value]) => name !== 'UNTIL' || value.includes('T')))
  void new RRuleTemporal({ ...options, rruleString: textOfRule(strict), strict: true })
  const bounded = rule.has('COUNT') || rule.has('UNTIL')
  return new RRuleTemporal({
    ...options,
    rruleString: textOfRule(rule),
    // Without an end, a rule that never comes true would be searched for as far as the library goes.
    ...(bounded ? {} : { until: local(instantOf(until), dtstart.timeZoneId) }),
  })
}
