import { RRuleTemporal } from 'rrule-temporal'
import { DAY_MS } from './duration.ts'
import { textOfRule, type RuleParts } from './rule-text.ts'
import { isShown, wallClockAt } from './zone.ts'

/** A rule in the local time of a zone. */
interface LocalRule {
  readonly rule: RuleParts
  readonly timezone: string
  /** Local date and time of the first occurrence, `20261206T020000`; none where the rule does not depend on it. */
  readonly anchor: string | undefined
}

/**
 * Local times from one instant to another that a rule asks for and that clocks put forward never show, such as
 * `2026-03-29T02:00:00`: by RFC 5545 nothing occurs there.
 */
export const leftOutBetween = (
  { rule, timezone, anchor }: LocalRule,
  from: Date,
  to: Date,
): readonly string[] => {
  // A rule by the hour counts elapsed time, and asks for no local time.
  if (rule.get('FREQ') === 'HOURLY') return []
  const days = daysPutForward(timezone, from, to)
  const [first] = days
  if (first === undefined) return []
  const floating = floatingRule(rule, timezone, anchor ?? yearBefore(first.begin))
  const last = lastOf(rule, timezone, anchor)
  return days
    .flatMap(({ begin, end }) => floating.between(new Date(begin), new Date(end), true))
    .filter(({ epochMilliseconds: at }) => last === undefined || at < last)
    .map((at) => at.toPlainDateTime().toString({ smallestUnit: 'second' }))
    .filter((text) => !isShown(text, timezone))
}

/** What clocks show, as though it were UTC. */
const shownAt = (moment: number, timezone: string): number => Date.parse(`${wallClockAt(moment, timezone)}Z`)

/** Stretches of a day over which clocks go on by more than a day, as what they show. */
const daysPutForward = (
  timezone: string,
  from: Date,
  to: Date,
): readonly { readonly begin: number; readonly end: number }[] => {
  const found: { begin: number; end: number }[] = []
  let begin = shownAt(from.getTime(), timezone)
  for (let at = from.getTime(); at < to.getTime(); at += DAY_MS) {
    const next = Math.min(at + DAY_MS, to.getTime())
    const end = shownAt(next, timezone)
    if (end - begin > next - at) found.push({ begin, end })
    begin = end
  }
  return found
}

/** The same rule where no clock is ever changed. What is left out is not counted. */
const floatingRule = (rule: RuleParts, timezone: string, first: string): RRuleTemporal => {
  const parts = new Map([...rule].filter(([name]) => name !== 'COUNT'))
  const until = parts.get('UNTIL')
  if (until?.endsWith('Z') === true) parts.set('UNTIL', compact(shownAt(momentIn(until), timezone)))
  return new RRuleTemporal({ rruleString: `DTSTART;TZID=UTC:${first}\nRRULE:${textOfRule(parts)}` })
}

/** What clocks show when a rule that counts has counted to its end; a rule counts from its first occurrence on. */
const lastOf = (rule: RuleParts, timezone: string, anchor: string | undefined): number | undefined => {
  if (!rule.has('COUNT') || anchor === undefined) return undefined
  const rruleString = `DTSTART;TZID=${timezone}:${anchor}\nRRULE:${textOfRule(rule)}`
  const last = new RRuleTemporal({ rruleString }).all().at(-1)
  return last && shownAt(last.epochMilliseconds, timezone)
}

const yearBefore = (shown: number): string =>
  `${String(new Date(shown).getUTCFullYear() - 1).padStart(4, '0')}0101T000000`

/** `20260322T030000Z`, as rules write instants. */
const momentIn = (text: string): number =>
  Date.parse(text.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
const compact = (moment: number): string =>
  `${new Date(moment).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
