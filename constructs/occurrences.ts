import { RRuleTemporal } from 'rrule-temporal'
import { meant, problem } from './checks.ts'
import type { Problem } from './declaration-error.ts'
import { isInstant } from './generated/instant.ts'
import { parseDuration, type Duration } from './iso-duration.ts'
import { checkRule, ruleParts } from './rule-text.ts'

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

/** More windows than this are a slip in the rule rather than a plan. */
export const MOST_OCCURRENCES = 1000

export const checkRecurrence = (recurrence: Recurrence): Problem[] => {
  const { rrule, timezone, duration, from, until, anchor } = recurrence
  const found = [...checkRule('rrule', rrule), ...checkZone(timezone)]
  if (parseDuration(duration) === undefined)
    found.push(problem('duration', `"${duration}" is no duration of weeks, days and time, such as PT2H`))
  const moments = Object.entries({ from, until, ...(anchor === undefined ? {} : { anchor }) })
  for (const [name, text] of moments)
    if (!isMoment(text))
      found.push(problem(name, `"${text}" is neither an instant such as 2026-12-05T02:00:00Z nor a date`))
  if (found.length > 0) return found
  if (momentOf(from, timezone) >= momentOf(until, timezone))
    found.push(problem('until', `${until} is not after from, ${from}`))
  if (anchor !== undefined && momentOf(anchor, timezone) > momentOf(from, timezone))
    found.push(problem('anchor', `${anchor} is after from, ${from}`))
  return found
}

const checkZone = (timezone: string): Problem[] => {
  try {
    // An offset such as +01:00 is taken here, and knows no change of clocks.
    if (!/^[+-]/.test(timezone)) {
      new Intl.DateTimeFormat('en', { timeZone: timezone })
      return []
    }
  } catch {
    // Told below.
  }
  const close = meant(timezone, Intl.supportedValuesOf('timeZone'))
  return [problem('timezone', `"${timezone}" is no IANA time zone${close}`)]
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

/** All occurrences of a checked recurrence; throws a RangeError where they are too many. */
export const occurrencesOf = (recurrence: Recurrence): Occurrences => {
  const { rrule, timezone } = recurrence
  const duration = parseDuration(recurrence.duration) as Duration
  const from = momentOf(recurrence.from, timezone)
  const until = momentOf(recurrence.until, timezone)
  const anchor = recurrence.anchor === undefined ? from : momentOf(recurrence.anchor, timezone)
  const start = local(instantOf(anchor), timezone)
  const starts = startsOf(ruleIn(rrule, start, until), from, until)
  const occurrences = starts.map((at) => ({
    startDate: instantOf(at.epochMilliseconds),
    endDate: instantOf(at.add(duration).epochMilliseconds),
  }))
  return { occurrences, skipped: skippedBy(rrule, timezone, { anchor, from, until }, starts) }
}

type Zoned = ReturnType<RRuleTemporal['all']>[number]

const startsOf = (rule: RRuleTemporal, from: number, until: number): Zoned[] => {
  const starts: Zoned[] = []
  rule.all((at) => {
    if (at.epochMilliseconds >= until) return false
    if (at.epochMilliseconds >= from) starts.push(at)
    if (starts.length > MOST_OCCURRENCES)
      throw new RangeError(`more than ${MOST_OCCURRENCES} occurrences between from and until`)
    return true
  })
  return starts
}

const ruleIn = (rrule: string, dtstart: Start, until: number): RRuleTemporal => {
  const names = new Set(ruleParts(rrule).map(([name]) => name))
  const bounded = names.has('COUNT') || names.has('UNTIL')
  return new RRuleTemporal({
    rruleString: ruleParts(rrule)
      .map(([name, value]) => `${name}=${value}`)
      .join(';'),
    dtstart,
    tzid: dtstart.timeZoneId,
    strict: true,
    // Without an end, a rule that never comes true would be searched for as far as the library goes.
    ...(bounded ? {} : { until: local(instantOf(until), dtstart.timeZoneId) }),
  })
}

/** What the same rule gives where no clock is ever changed, less what it gave. */
const skippedBy = (
  rrule: string,
  timezone: string,
  { anchor, from, until }: { anchor: number; from: number; until: number },
  starts: readonly Zoned[],
): string[] => {
  const last = starts.at(-1)
  // Rules by the hour or less count in elapsed time, and ask for no local time.
  if (last === undefined || /FREQ=(?:HOURLY|MINUTELY|SECONDLY)/i.test(rrule)) return []
  const shown = new Set(starts.map(wallClock))
  const floating = (moment: number): number => Date.parse(`${wallClockAt(moment, timezone)}Z`)
  const rule = ruleIn(rrule, local(instantOf(floating(anchor)), 'UTC'), floating(until))
  return startsOf(rule, floating(from), floating(until))
    .map(wallClock)
    .filter((text) => !shown.has(text) && text < wallClock(last))
}

const wallClock = (at: Zoned): string => at.toPlainDateTime().toString({ smallestUnit: 'second' })

const wallClockAt = (moment: number, timezone: string): string => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
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

const instantOf = (moment: number): string => new Date(moment).toISOString().replace('.000Z', 'Z')
