import { RRuleTemporal } from 'rrule-temporal'
import { DAY_MS } from './duration.ts'
import { wholeSecond } from '../instant.ts'
import { isGivenUp, textFrom, wellBefore, type LocalRule, type RuleParts } from './rule-text.ts'
import { isShown, wallClockAt } from './zone.ts'

/**
 * Local times between two instants that a rule asks for and that clocks put forward never show, such as
 * `2026-03-29T02:00:00`: by RFC 5545, nothing occurs then.
 */
export const leftOutBetween = (
  { rule, timezone, anchor }: LocalRule,
  from: Date,
  to: Date,
): readonly string[] => {
  if (countsElapsed(rule)) return []
  // Clocks show whole seconds.
  const [begin = 0, end = 0] = [from, to].map((each) => wholeSecond(each.getTime()))
  const days = daysPutForward(timezone, { begin, end })
  const [first] = days
  if (first === undefined) return []
  const shown = (moment: number): Date => new Date(shownAt(moment, timezone))
  const floating = floatingRule(rule, timezone, anchor ?? wellBefore(shown(first.begin)))
  const missed = days
    .flatMap((day) => floating.between(shown(day.begin), shown(day.end), true))
    .map((at) => at.toPlainDateTime().toString({ smallestUnit: 'second' }))
    .filter((text) => !isShown(text, timezone))
  const last = missed.length === 0 ? undefined : lastOf(rule, timezone, anchor, end)
  return last === undefined ? missed : missed.filter((text) => Date.parse(`${text}Z`) < last)
}

/**
 * An hourly rule without BYHOUR counts elapsed hours, which clocks never skip; with INTERVAL, clock changes shift its
 * hours.
 */
const countsElapsed = (rule: RuleParts): boolean =>
  rule.get('FREQ') === 'HOURLY' && (!rule.has('BYHOUR') || Number(rule.get('INTERVAL') ?? 1) > 1)

/** What clocks show, as if it were UTC. */
const shownAt = (moment: number, timezone: string): number => Date.parse(`${wallClockAt(moment, timezone)}Z`)

/** Instants in milliseconds. */
interface Stretch {
  readonly begin: number
  readonly end: number
}

/** The days in which clocks are put forward. Nowhere are clocks put back within six days of that, or the reverse. */
const daysPutForward = (timezone: string, all: Stretch): readonly Stretch[] =>
  putForward(timezone, all, 6 * DAY_MS).flatMap((days) => putForward(timezone, days, DAY_MS))

/** Stretches of the given length over which clocks advance by more than that. */
const putForward = (timezone: string, { begin: first, end: last }: Stretch, length: number): Stretch[] => {
  const found: Stretch[] = []
  let shown = shownAt(first, timezone)
  for (let begin = first; begin < last; begin += length) {
    const end = Math.min(begin + length, last)
    const then = shownAt(end, timezone)
    if (then - shown > end - begin) found.push({ begin, end })
    shown = then
  }
  return found
}

/** The same rule if clocks never changed. Without COUNT, because times that are left out are not counted. */
const floatingRule = (rule: RuleParts, timezone: string, first: string): RRuleTemporal => {
  const parts = new Map([...rule].filter(([name]) => name !== 'COUNT'))
  const until = parts.get('UNTIL')
  if (until?.endsWith('Z') === true) parts.set('UNTIL', compact(shownAt(momentIn(until), timezone)))
  return new RRuleTemporal({ rruleString: textFrom(first, parts, 'UTC') })
}

/**
 * What clocks show at the last occurrence of a rule with COUNT; undefined if it goes on after `end`. A rule counts
 * from its first occurrence.
 */
const lastOf = (
  rule: RuleParts,
  timezone: string,
  anchor: string | undefined,
  end: number,
): number | undefined => {
  if (!rule.has('COUNT') || anchor === undefined) return undefined
  const rruleString = textFrom(anchor, rule, timezone)
  let last: number | undefined
  let goesOn = false
  try {
    // The library gives up on a rule whose occurrences are too far apart to count them all.
    new RRuleTemporal({ rruleString }).all(({ epochMilliseconds: at }) => {
      goesOn = at > end
      if (!goesOn) last = at
      return !goesOn
    })
  } catch (error) {
    if (!isGivenUp((error as Error).message)) throw error
    goesOn = true
  }
  return goesOn || last === undefined ? undefined : shownAt(last, timezone)
}

/** `20260322T030000Z`, as rules write instants. */
const momentIn = (text: string): number =>
  Date.parse(text.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
const compact = (moment: number): string =>
  `${new Date(moment).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
