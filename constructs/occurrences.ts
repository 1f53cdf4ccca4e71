import { RRuleTemporal } from 'rrule-temporal'
import { given, meant, problem } from './checks.ts'
import type { Problem } from './declaration-error.ts'
import { isInstant } from './generated/instant.ts'
import { DAY_MS, refusalOfLength } from './generated/recurrence/duration.ts'
import {
  inOurWords,
  MOST_OCCURRENCES,
  NO_HOUR,
  parseRule,
  saysHour,
  textOfRule,
  type RuleParts,
} from './generated/recurrence/rule-text.ts'

/** When something recurs. */
export interface Recurrence {
  /** RRULE of RFC 5545, such as `FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=0;BYSECOND=0`. */
  readonly rrule: string
  /** IANA time zone in which the rule's hours and days are meant, such as `Europe/Madrid`. */
  readonly timezone: string
  /** ISO 8601: `PT2H`, `PT90M`, `P1D`. A day is one of the calendar, so 23 or 25 hours twice a year. */
  readonly duration: string
  /** First moment at which an occurrence may start: an instant, or a date, which begins in `timezone`. */
  readonly from: string
  /** No occurrence starts at this moment or later. */
  readonly until: string
  /**
   * Where counting begins for `INTERVAL` and `COUNT`, and what fills in a time of day that the rule does not
   * say; `from` by default. Give it where `from` is going to move.
   */
  readonly anchor?: string
}

export interface Occurrence {
  readonly startDate: string
  readonly endDate: string
}

export interface Occurrences {
  readonly occurrences: readonly Occurrence[]
  /** Local times that the rule asks for and that a clock put forward never shows; RFC 5545 leaves them out. */
  readonly skipped: readonly string[]
}

export const checkRecurrence = (recurrence: Recurrence): Problem[] => {
  const { rrule, timezone, duration, from, until, anchor } = recurrence
  const rule = parseRule(rrule)
  const found = [...(typeof rule === 'string' ? [problem('rrule', rule)] : []), ...checkZone(timezone)]
  const wrong = refusalOfLength(duration)
  if (wrong !== undefined) found.push(problem('duration', wrong))
  for (const [name, text] of Object.entries({ from, until, ...given({ anchor }) }))
    if (!isMoment(text))
      found.push(problem(name, `"${text}" is neither an instant such as 2026-12-05T02:00:00Z nor a date`))
  if (found.length > 0) return found
  if (momentOf(from, timezone) >= momentOf(until, timezone))
    found.push(problem('until', `${until} is not after from, ${from}`))
  if (anchor !== undefined && momentOf(anchor, timezone) > momentOf(from, timezone))
    found.push(problem('anchor', `${anchor} is after from, ${from}`))
  // A date by itself would put every window to midnight, which nobody wrote.
  if (typeof rule !== 'string' && !saysHour(rule) && !(anchor ?? from).includes('T'))
    found.push(problem('rrule', anchor === undefined ? NO_HOUR : NO_HOUR.replace('from', 'anchor')))
  return found
}

const checkZone = (timezone: string): Problem[] =>
  isZone(timezone)
    ? []
    : [
        problem(
          'timezone',
          `"${timezone}" is no IANA time zone${meant(timezone, Intl.supportedValuesOf('timeZone'))}`,
        ),
      ]

const isZone = (timezone: string): boolean => {
  // An offset such as +01:00 would be taken below, and knows no change of clocks.
  if (/^[+-]/.test(timezone)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Whole seconds: the service keeps no parts of them. */
const isMoment = (text: string): boolean =>
  typeof text === 'string' && !text.includes('.') && (isInstant(text) || isInstant(`${text}T00:00:00Z`))

/** Milliseconds of an instant, or of the begin of a date in the zone. */
const momentOf = (text: string, timezone: string): number => {
  if (isInstant(text)) return Date.parse(text)
  // The library has the one calendar at hand that knows zones: Node 24 has no Temporal of its own.
  const day = new RRuleTemporal({
    rruleString: 'FREQ=DAILY;COUNT=1',
    dtstart: local(`${text}T00:00:00`, timezone),
  })
  return day.all()[0]?.epochMilliseconds ?? Number.NaN
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
      : `${nothing}, for it would be at ${found.skipped.join(', ')}: ${leftOut(timezone)}`
  } catch (error) {
    // The library says in its errors what it cannot do with a rule.
    return inOurWords(error instanceof Error ? error.message : String(error))
  }
}

/** What clocks do to local times. */
export const leftOut = (timezone: string): string => `clocks in ${timezone} leave that time out`

const expand = (recurrence: Recurrence): Occurrences => {
  const { timezone, duration } = recurrence
  const rule = parseRule(recurrence.rrule) as RuleParts
  const from = momentOf(recurrence.from, timezone)
  const until = momentOf(recurrence.until, timezone)
  const anchor = recurrence.anchor === undefined ? from : momentOf(recurrence.anchor, timezone)
  const begin = local(instantOf(anchor), timezone)
  const skippedUntil = (end: number): string[] => skippedBy(rule, timezone, { anchor, from, until: end })
  // An end of its own may lie far behind `until`: what never comes true would be searched for up to there.
  if (startsOf(ruleFrom(endless(rule), begin, until), { from: anchor, until }, 1).starts.length === 0)
    return { occurrences: [], skipped: skippedUntil(until) }
  const { starts, count } = startsOf(ruleFrom(rule, begin, until), { from, until })
  const occurrences = starts.map((at) => ({
    startDate: instantOf(at.epochMilliseconds),
    endDate: instantOf(at.add(duration).epochMilliseconds),
  }))
  // What a clock leaves out is not counted, so that a rule that has counted to its end ends with its last one.
  const end = count === Number(rule.get('COUNT')) ? (starts.at(-1)?.epochMilliseconds ?? from) : until
  return { occurrences, skipped: skippedUntil(end) }
}

const endless = (rule: RuleParts): RuleParts =>
  new Map([...rule].filter(([name]) => name !== 'COUNT' && name !== 'UNTIL'))

type Zoned = ReturnType<RRuleTemporal['all']>[number]
interface Span {
  readonly from: number
  readonly until: number
}

interface Starts {
  readonly starts: readonly Zoned[]
  /** How many there are from the rule's beginning on. */
  readonly count: number
}

const startsOf = (rule: RRuleTemporal, { from, until }: Span, most = Number.POSITIVE_INFINITY): Starts => {
  const starts: Zoned[] = []
  let count = 0
  rule.all((at) => {
    if (at.epochMilliseconds >= until) return false
    count += 1
    if (at.epochMilliseconds >= from) starts.push(at)
    if (starts.length > MOST_OCCURRENCES)
      throw new RangeError(`more than ${MOST_OCCURRENCES} occurrences between from and until`)
    return starts.length < most
  })
  return { starts, count }
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

/** What the same rule gives where no clock is ever changed, as far as the zone's clocks never show it. */
const skippedBy = (
  rule: RuleParts,
  timezone: string,
  { anchor, from, until }: Span & { readonly anchor: number },
): string[] => {
  // A rule by the hour counts elapsed time, and asks for no local time.
  if (rule.get('FREQ') === 'HOURLY') return []
  const floating = (moment: number): number => Date.parse(`${wallClockAt(moment, timezone)}Z`)
  const uncounted = new Map([...rule].filter(([name]) => name !== 'COUNT'))
  const limit = uncounted.get('UNTIL')
  if (limit?.endsWith('Z') === true) uncounted.set('UNTIL', compactOf(instantOf(floating(momentIn(limit)))))
  const elsewhere = ruleFrom(uncounted, local(instantOf(floating(anchor)), 'UTC'), floating(until))
  return startsOf(elsewhere, { from: floating(from), until: floating(until) })
    .starts.map(wallClock)
    .filter((text) => !isShown(text, timezone))
}

/** Whether clocks in the zone ever show this time: some offset of the two days around it leads back to it. */
const isShown = (text: string, timezone: string): boolean => {
  const asUtc = Date.parse(`${text}Z`)
  return [-1, 0, 1].some((days) => {
    const near = asUtc + days * DAY_MS
    const offset = Date.parse(`${wallClockAt(near, timezone)}Z`) - near
    return wallClockAt(asUtc - offset, timezone) === text
  })
}

/** `20260322T030000Z`, as rules write instants. */
const momentIn = (text: string): number =>
  Date.parse(text.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
const compactOf = (instant: string): string => instant.replaceAll(/[-:]/g, '')

const wallClock = (at: Zoned): string => at.toPlainDateTime().toString({ smallestUnit: 'second' })

const wallClockAt = (moment: number, timezone: string): string => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  return format.format(moment).replace(' ', 'T')
}

interface Start {
  readonly timeZoneId: string
  toString(): string
}

/** What the library takes for a time in a zone: a thing that writes itself so. */
const local = (text: string, timezone: string): Start => ({
  timeZoneId: timezone,
  toString: () => `${text}[${timezone}]`,
})

export const instantOf = (moment: number): string => new Date(moment).toISOString().replace('.000Z', 'Z')
