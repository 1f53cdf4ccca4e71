import type { SaidEvidence } from '../document/document.ts'
import { span, wrap, type Line } from '../../text/lines.ts'
import { withNote, evidenceWords } from './sentences.ts'
import { number } from '../../text/number.ts'
import { proseRoom, type Mark, type Style } from '../../text/style.ts'

/** More of one kind than this are folded, and then so many are shown. */
export const FOLD = { over: 8, shown: 5 } as const

/** Of more writes than this that do the same, a terminal names so many and counts the others. */
export const LONG = { over: 100, shown: 20 } as const

/** Of requests that nobody knows the outcome of each is worth its commands: they are folded where one apply has lost many. */
export const MANY = { over: 20, shown: 5 } as const

type Room = typeof FOLD | typeof LONG | typeof MANY

export interface Folded<T> {
  readonly shown: readonly T[]
  /** How many are left out. */
  readonly hidden: readonly T[]
}

export const fold = <T>(
  items: readonly T[],
  all: boolean | undefined,
  { over, shown }: Room = FOLD,
): Folded<T> =>
  all === true || items.length <= over
    ? { shown: items, hidden: [] }
    : { shown: items.slice(0, shown), hidden: items.slice(shown) }

/** @param shownBy what shows those that are folded */
export const moreLikeIt = (count: number, shownBy = '--all'): string =>
  `… ${number(count)} more like it, ${shownBy} shows them`

/** Things of which the same is to be said, in the order of the first of each. */
export const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): T[][] => [
  ...Map.groupBy(items, keyOf).values(),
]

/** Addresses of which the same is said. */
export const reasonGroups = (things: readonly { readonly address: string; readonly reason: string }[]) =>
  groupBy(things, ({ reason }) => reason).map((group) => ({
    addresses: group.map(({ address }) => address),
    why: group[0]?.reason ?? '',
  }))

interface Naming {
  readonly all?: boolean
  /** What shows those that are folded. */
  readonly shownBy?: string
}

/** `users.dana, apiKeys.reporting: why`, as far as they are not folded. */
export const addressesWithWhy = (
  addresses: readonly string[],
  why: string,
  { all, shownBy = '--all' }: Naming,
): string => {
  const { shown, hidden } = fold(addresses, all)
  const more = hidden.length > 0 ? ` … ${number(hidden.length)} more, ${shownBy} shows them` : ''
  return `${shown.join(', ')}${more}: ${why}`
}

/** `? users.dana, apiKeys.reporting: why`, with the following lines below the addresses. */
export const addressBlock = (
  mark: Mark,
  addresses: readonly string[],
  why: string,
  style: Style & Naming,
): Line[] =>
  wrap(addressesWithWhy(addresses, why, style), proseRoom(style) - 4).map((text, index) => [
    span(index === 0 ? `  ${mark.symbol} ` : '    ', mark.tone),
    span(text),
  ])

/** Things that cannot be verified, named in few lines: those with one reason share it. */
export const unverifiableGroups = (
  things: readonly { readonly address: string; readonly evidence: SaidEvidence }[],
): { readonly addresses: readonly string[]; readonly why: string }[] =>
  groupBy(things, ({ evidence }) => groupKey(evidence)).map((group) => {
    const since = group
      .flatMap(({ evidence }) => evidence.since ?? [])
      .toSorted()
      .at(0)
    const evidence: SaidEvidence = group[0]?.evidence ?? { level: 'unknown' }
    const isOldest = group.some((each) => each.evidence.since !== since)
    const why = evidenceWords(evidence, since, { isOldest })
    return { addresses: group.map(({ address }) => address), why: withNote(why, evidence) }
  })

const groupKey = ({ level, note, events }: SaidEvidence): string =>
  JSON.stringify([level, note, events?.map(({ id }) => id)])
