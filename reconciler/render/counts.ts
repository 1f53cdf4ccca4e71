import type { Summary } from '@deploymgmt/provider/engine'
import { span, type Line, type Span } from './lines.ts'
import { number } from './sentences.ts'
import { MARKS, type Tone } from './style.ts'

export interface Count {
  readonly count: number
  readonly label: string
  readonly tone?: Tone | undefined
}

/** Groups of counts, `, ` within and ` · ` between; what is zero is left out. */
export const countLine = (...groups: readonly (readonly Count[])[]): Line => {
  const shown = groups
    .map((group) => group.filter(({ count }) => count > 0))
    .filter((group) => group.length > 0)
    .map((group) => joined(group.map(countSpan), ', '))
  return joinedGroups(shown)
}

const countSpan = ({ count, label, tone }: Count): Span => span(`${number(count)} ${label}`, tone)

const joined = (spans: readonly Span[], by: string): Span[] =>
  spans.flatMap((each, index) => (index === 0 ? [each] : [span(by), each]))

const joinedGroups = (groups: readonly (readonly Span[])[]): Span[] =>
  groups.flatMap((group, index) => (index === 0 ? group : [span(' · ', 'dim'), ...group]))

/** What a plan would do, then what it cannot, then what needs nothing. */
export const planCounts = (summary: Summary): Line =>
  countLine(
    [
      { count: summary.create, label: 'to create', tone: MARKS.create.tone },
      { count: summary.adopt, label: 'to adopt', tone: MARKS.adopt.tone },
      { count: summary.update, label: 'to change', tone: MARKS.update.tone },
      { count: summary.moved, label: 'to rename', tone: MARKS.moved.tone },
      { count: summary.delete, label: 'to delete', tone: MARKS.delete.tone },
      { count: summary.release, label: 'to release', tone: MARKS.release.tone },
    ],
    ...standingCounts(summary),
  )

/** What a plan leaves as it is, each for its own reason. */
const standingCounts = (summary: Summary): Count[][] => [
  [{ count: summary.blocked, label: 'blocked', tone: MARKS.blocked.tone }],
  [{ count: summary.expired, label: 'expired' }],
  [{ count: summary.unverifiable, label: 'not verifiable', tone: MARKS.unverifiable.tone }],
  [{ count: summary.unchanged, label: 'in sync' }],
]

/** The part of the counts that is left when nothing is to be done, in one group. */
export const restingCounts = (summary: Pick<Summary, 'expired' | 'unverifiable' | 'unchanged'>): Line =>
  countLine([
    { count: summary.unchanged, label: 'in sync' },
    { count: summary.unverifiable, label: 'not verifiable', tone: MARKS.unverifiable.tone },
    { count: summary.expired, label: 'expired' },
  ])
