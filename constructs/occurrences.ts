import { RRuleTemporal } from 'rrule-temporal'
import { formatInstant } from './generated/instant.ts'
import {
  inOurWords,
  MOST_OCCURRENCES,
  parseRule,
  textOfRule,
  withMinute,
  type RuleParts,
} from './generated/recurrence/rule-text.ts'
import { leftOutBetween } from './generated/recurrence/left-out.ts'
import { wallClockAt } from './generated/recurrence/zone.ts'
import type { Recurrence } from './recurrence.ts'
import { local, momentOf, type Start } from './zone.ts'

export interface Occurrence {
  readonly startDate: string
  readonly endDate: string
}

export interface Occurrences {
  readonly occurrences: readonly Occurrence[]
  /** Local times of the rule that a clock change skips; RFC 5545 leaves them out. */
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
    // The library's error says what it does not support in a rule.
    return inOurWords(error instanceof Error ? error.message : String(error))
  }
}

/** The effect of clock changes on local times. */
export const leftOut = (timezone: string): string => `clocks in ${timezone} skip that time`

const expand = (recurrence: Recurrence): Occurrences => {
  const { timezone, duration } = recurrence
  const from = momentOf(recurrence.from, timezone)
  const until = momentOf(recurrence.until, timezone)
  const anchor = recurrence.anchor === undefined ? from : momentOf(recurrence.anchor, timezone)
  const begin = local(formatInstant(anchor), timezone)
  const first = wallClockAt(anchor, timezone).replaceAll(/[-:]/g, '')
  const rule = withMinute(first, parseRule(recurrence.rrule) as RuleParts)
  // The end is exclusive.
  const skipped = leftOutBetween({ rule, timezone, anchor: first }, new Date(from), new Date(until - 1))
  // The rule's own end may be far behind `until`: a rule that never matches would be searched up to there.
  if (startsOf(ruleFrom(endless(rule), begin, until), { from: anchor, until }, 1).length === 0)
    return { occurrences: [], skipped }
  const starts = startsOf(ruleFrom(rule, begin, until), { from, until })
  const occurrences = starts.map((at) => ({
    startDate: formatInstant(at.epochMilliseconds),
    endDate: formatInstant(at.add(duration).epochMilliseconds),
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
  // Strict parsing finds contradictory parts. It rejects an UNTIL date together with a local time, so that is left
  // out.
  const strict = new Map([...rule].filter(([name, value]) => name !== 'UNTIL' || value.includes('T')))
  void new RRuleTemporal({ ...options, rruleString: textOfRule(strict), strict: true })
  const bounded = rule.has('COUNT') || rule.has('UNTIL')
  return new RRuleTemporal({
    ...options,
    rruleString: textOfRule(rule),
    // Without an end, a rule that never matches would be searched as far as the library goes.
    ...(bounded ? {} : { until: local(formatInstant(until), dtstart.timeZoneId) }),
  })
}
