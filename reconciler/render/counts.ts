import type { Summary } from './document.ts'
import { dotted, span, type Line, type Span } from '../text/lines.ts'
import { number } from './sentences.ts'
import { MARKS, type Tone } from '../text/style.ts'

export interface Count {
  readonly count: number
  readonly label: string
  readonly tone?: Tone | undefined
}

/** Groups of counts, `, ` within and ` · ` between; what is zero is left out. */
export const countLine = (...groups: readonly (readonly Count[])[]): Line =>
  joined(shownGroups(groups), SEPARATOR)

/** The same, over several lines where one has no room, broken between groups. */
export const countLines = (room: number, ...groups: readonly (readonly Count[])[]): Line[] =>
  dotted(shownGroups(groups), room)

const SEPARATOR = span(' · ', 'dim')

const shownGroups = (groups: readonly (readonly Count[])[]): Line[] =>
  groups
    .map((group) => group.filter(({ count }) => count > 0))
    .filter((group) => group.length > 0)
    .map((group) =>
      joined(
        group.map((each) => [countSpan(each)]),
        span(', '),
      ),
    )

const countSpan = ({ count, label, tone }: Count): Span => span(`${number(count)} ${label}`, tone)

const joined = (parts: readonly Line[], by: Span): Line =>
  parts.flatMap((part, index) => (index === 0 ? part : [by, ...part]))

/** What a plan would do, then what it cannot, then what needs nothing. */
export const planCounts = (summary: Summary, room: number): Line[] =>
  countLines(
    room,
    [
      { count: summary.create, label: 'to create', tone: MARKS.create.tone },
      { count: summary.adopt, label: 'to adopt', tone: MARKS.adopt.tone },
      { count: summary.update, label: 'to change', tone: MARKS.update.tone },
      { count: summary.moved, label: 'to rename', tone: MARKS.moved.tone },
      { count: summary.delete, label: 'to delete', tone: MARKS.delete.tone },
      { count: summary.release, label: 'to release', tone: MARKS.release.tone },
    ],
    ...untouchedCounts(summary),
  )

/** What a plan leaves as it is, each for its own reason. */
const untouchedCounts = (summary: Summary): Count[][] => [
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
