import type { PlanDocument, Summary } from '../document/plan-model.ts'
import { plannedCounts } from '../wording/effects.ts'
import { dotted, span, widthOf, type Line, type Span } from '../../text/lines.ts'
import { number } from '../../text/number.ts'
import { MARKS, roomOf, type Style, type Tone } from '../../text/style.ts'

export interface Count {
  readonly count: number
  readonly label: string
  readonly tone?: Tone | undefined
}

/** Groups of counts, separated by `, ` within and ` · ` between; zeros are left out. */
const countLine = (...groups: readonly (readonly Count[])[]): Line => joined(shownGroups(groups), SEPARATOR)

const SEPARATOR = span(' · ', 'dim')

const joined = (parts: readonly Line[], by: Span): Line =>
  parts.flatMap((part, index) => (index === 0 ? part : [by, ...part]))

/** The groups that are not all zero, each on a line. */
export const shownGroups = (groups: readonly (readonly Count[])[]): Line[] =>
  groups.flatMap((group) => inLines(group, Number.POSITIVE_INFINITY))

/** A group in as many lines as it needs; without zeros, and empty if all are zero. */
const inLines = (group: readonly Count[], room: number): Line[] => {
  const lines: Line[][] = []
  for (const each of group.filter(({ count }) => count > 0)) {
    const [last, shown] = [lines.at(-1), [countSpan(each)]]
    if (last === undefined || widthOf(joined([...last, shown], COMMA)) + 1 > room) lines.push([shown])
    else last.push(shown)
  }
  return lines.map((line, index) => [
    ...joined(line, COMMA),
    ...(index < lines.length - 1 ? [span(',')] : []),
  ])
}
const COMMA = span(', ')

/** Over several lines if necessary, broken within a group only if it does not fit. */
export const laidOut = (
  groups: readonly (readonly Count[])[],
  figures: readonly Line[],
  room: number,
): Line[] => {
  const whole: Line[] = []
  let open: Line[] = []
  for (const group of groups) {
    const lines = inLines(group, room)
    // What follows a group of several lines is on its last line.
    if (lines.length > 1) {
      whole.push(...dotted(open, room), ...lines.slice(0, -1))
      open = []
    }
    open.push(...lines.slice(-1))
  }
  return [...whole, ...dotted([...open, ...figures], room)]
}

const countSpan = ({ count, label, tone }: Count): Span => span(`${number(count)} ${label}`, tone)

type Counted = Pick<PlanDocument, 'summary' | 'changes' | 'strangers' | 'needs' | 'gates'>

/** What a plan would do, what it cannot do, what needs nothing, and the resulting exit code. */
export const planCounts = (doc: Counted, style: Style): Line[] => {
  const { summary } = doc
  const groups = [
    plannedCounts(doc).map(({ action, ...each }) => ({ ...each, tone: MARKS[action].tone })),
    ...untouchedCounts(summary),
  ]
  return laidOut(
    groups,
    exitFigure(doc, style).map((figure) => [span(figure)]),
    roomOf(style),
  )
}

/** The exit code for a pipeline, if differences are left after any apply. */
const exitFigure = (doc: Counted, style: Style): string[] => {
  const { summary, strangers } = doc
  // Without the flags that it needs, an apply ends with 1.
  const ends = (plan: string): string =>
    needsFlags(doc, style) ? `${plan} ends with exit code` : `apply and ${plan} end with exit code`
  if (strangers !== undefined) return [`${ends('plan')} 3`]
  return summary.blocked === 0 ? [] : [`${ends('plan --detailed-exitcode')} 2`]
}

const needsFlags = (
  { changes, needs = [], gates = [] }: Counted,
  { allowed = new Set() }: Pick<Style, 'allowed'>,
): boolean =>
  [...needs, ...changes.flatMap((change) => change.needs ?? [])].some(({ flag }) => !allowed.has(flag)) ||
  gates.some(({ open }) => !open)

/** What a plan leaves as it is, by reason. */
const untouchedCounts = (summary: Summary): Count[][] => [
  [{ count: summary.blocked, label: 'blocked', tone: MARKS.blocked.tone }],
  ...resting(summary).map((each) => [each]),
]

type Resting = Pick<Summary, 'expired' | 'unverifiable' | 'unchanged'>

const resting = ({ expired, unverifiable, unchanged }: Resting): Count[] => [
  { count: expired, label: 'expired' },
  { count: unverifiable, label: 'not verifiable', tone: MARKS.unverifiable.tone },
  { count: unchanged, label: 'in sync' },
]

/** The counts that are left when nothing is to be done, in one group. */
export const restingCounts = (summary: Resting): Line => countLine(resting(summary))
