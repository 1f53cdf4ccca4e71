import { given, didYouMean, problem } from './checks.ts'
import type { Problem } from './declaration-error.ts'
import { isInstant } from './generated/instant.ts'
import { refusalOfLength } from './generated/recurrence/duration.ts'
import { isRule, noHour, parseRule, saysHour } from './generated/recurrence/rule-text.ts'
import { canonicalZone } from './generated/recurrence/zone.ts'
import { momentOf } from './zone.ts'

/** When something recurs. */
export interface Recurrence {
  /** RRULE of RFC 5545, such as `FREQ=WEEKLY;BYDAY=SU;BYHOUR=3;BYMINUTE=0;BYSECOND=0`. */
  readonly rrule: string
  /** The IANA time zone of the rule's hours and days, such as `Europe/Madrid`. */
  readonly timezone: string
  /** ISO 8601: `PT2H`, `PT90M`, `P1D`. A day is a calendar day, so 23 or 25 hours twice a year. */
  readonly duration: string
  /** The first moment at which an occurrence may start: an instant, or a date, which begins in `timezone`. */
  readonly from: string
  /** No occurrence starts at this moment or later. */
  readonly until: string
  /**
   * The start of counting for `INTERVAL` and `COUNT`, and the default for a time of day that the rule does not have;
   * defaults to `from`. Set it if `from` is going to move.
   */
  readonly anchor?: string
}

export const checkRecurrence = (recurrence: Recurrence): Problem[] => {
  const { rrule, timezone, duration, from, until, anchor } = recurrence
  const rule = parseRule(rrule)
  const found = [
    ...(isRule(rule) ? [] : rule.map((message) => problem('rrule', message))),
    ...checkZone(timezone),
  ]
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
  // A date alone would silently put every window at midnight.
  if (isRule(rule) && !saysHour(rule) && !(anchor ?? from).includes('T'))
    found.push(problem('rrule', noHour(anchor === undefined ? 'from' : 'anchor')))
  return found
}

const checkZone = (timezone: string): Problem[] =>
  canonicalZone(timezone) !== undefined
    ? []
    : [
        problem(
          'timezone',
          `"${timezone}" is not an IANA time zone${didYouMean(timezone, Intl.supportedValuesOf('timeZone'))}`,
        ),
      ]

/** Whole seconds: the service stores no fractions. */
const isMoment = (text: string): boolean =>
  typeof text === 'string' && !text.includes('.') && (isInstant(text) || isInstant(`${text}T00:00:00Z`))
