import { hanging, indented, span, wrap, type Line } from '../../text/lines.ts'
import type { Told } from '../wording/grouped-addresses.ts'
import { number } from '../../text/number.ts'
import { proseRoom, type Mark, type Style } from '../../text/style.ts'

/** More items of one kind than `over` are folded; then `shown` are shown. */
export const FOLD = { over: 8, shown: 5 } as const

/** If more writes than `over` do the same, a terminal names `shown` of them and counts the others. */
export const LONG = { over: 100, shown: 20 } as const

/** Each request of unknown outcome gets its commands; they are folded only if one apply has lost very many. */
export const MANY = { over: 20, shown: 5 } as const

type Room = typeof FOLD | typeof LONG | typeof MANY

interface Folded<T> {
  readonly shown: readonly T[]
  /** The items that are left out. */
  readonly hidden: readonly T[]
}

/** Folds a long list, unless everything is to be shown. */
export const fold = <T>(
  items: readonly T[],
  { all, room = FOLD }: { readonly all?: boolean | undefined; readonly room?: Room } = {},
): Folded<T> =>
  all === true || items.length <= room.over
    ? { shown: items, hidden: [] }
    : { shown: items.slice(0, room.shown), hidden: items.slice(room.shown) }

/** @param shownBy the flag that shows folded items */
export const moreLikeIt = (count: number, shownBy = '--all'): string =>
  `… ${number(count)} more like it, ${shownBy} shows them`

interface Naming {
  readonly all?: boolean
  /** The flag that shows folded items. */
  readonly shownBy?: string
}

/** `users.dana, apiKeys.reporting: why`, and how many more addresses are folded. */
export const addressesWithWhy = (
  addresses: readonly (string | Told)[],
  why: string,
  { all, shownBy }: Naming,
): readonly [told: string, ...more: readonly string[]] => {
  const { shown, hidden } = fold(addresses, { all })
  const told = `${shown.map((each) => (typeof each === 'string' ? each : each.text)).join(', ')}: ${why}`
  const left = hidden.reduce((sum, each) => sum + (typeof each === 'string' ? 1 : each.count), 0)
  return left === 0 ? [told] : [told, moreLikeIt(left, shownBy)]
}

/** `? users.dana, apiKeys.reporting: why`, with continuation lines below the addresses. */
export const addressBlock = (
  mark: Mark,
  addresses: readonly (string | Told)[],
  why: string,
  style: Style & Naming,
): Line[] => {
  const [told, ...more] = addressesWithWhy(addresses, why, style)
  return [
    ...wrap(told, proseRoom(style) - 4).map((text, index) => [
      span(index === 0 ? `  ${mark.symbol} ` : '    ', mark.tone),
      span(text),
    ]),
    ...more.flatMap((text) => indented(4, hanging(text, proseRoom(style) - 4, 'dim'))),
  ]
}
