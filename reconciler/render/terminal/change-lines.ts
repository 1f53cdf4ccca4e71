import { entryOf, type Action } from '@deploymgmt/provider/engine'
import { displayWidth } from '../../text/display.ts'
import type { ReportedChange } from '../document/plan-model.ts'
import { alikeChanges, alikeOccurrences } from '../wording/alike-changes.ts'
import { isQuiet } from '../wording/effects.ts'
import { INDENT, type FieldStyle } from './field-lines.ts'
import { FOLD, fold, moreLikeIt } from './folded.ts'
import { groupBy } from '../../text/group-by.ts'
import { BLANK, hanging, indented, largest, span, widthOf, type Line } from '../../text/lines.ts'
import { proseRoom, roomOf } from '../../text/style.ts'
import { groupItem, itemOf, markOf, type Item } from './change-items.ts'

const ORDER = [
  'create',
  'adopt',
  'update',
  'moved',
  'delete',
  'release',
  'blocked',
  'expired',
  'unverifiable',
  'unchanged',
] as const satisfies readonly (Action | 'unverifiable')[]

/** Changes by action, with those that change nothing folded, and blank lines around those with details. */
export const changeLines = (changes: readonly ReportedChange[], style: FieldStyle): Line[] => {
  const blocks = ORDER.flatMap((mark) =>
    groupBy(
      changes.filter((change) => markOf(change) === mark),
      ({ kind }) => kind,
    ),
  ).flatMap((group) => blocksOf(group, style))
  const column = placeColumn(
    blocks.flatMap(({ items }) => items),
    style,
  )
  return blocks
    .map(({ items, hidden }) =>
      blockLines(style.all === true ? items : withoutRepeats(items), hidden, column, style),
    )
    .flatMap((lines, index) => (index === 0 ? lines : [BLANK, ...lines]))
}

interface Block {
  readonly items: readonly Item[]
  readonly hidden: readonly ReportedChange[]
}

/** First the changes with an effect, all of them; then the others, in few lines. */
const blocksOf = (group: readonly ReportedChange[], style: FieldStyle): Block[] => {
  if (style.all === true) return [{ items: group.map((change) => itemOf(change, style)), hidden: [] }]
  const effects = group.filter((change) => !isQuiet(change))
  const { alone, together } = toldTogether(effects, alikeEffects)
  const told = [
    ...alone.map((change) => itemOf(change, style)),
    ...together.flatMap((alike) => groupItem(alike, style)),
  ]
  const quiet = groupBy(group.filter(isQuiet), ({ fields }) => String(fields.length > 0)).flatMap((alike) => {
    // What needs nothing is folded anyway, but occurrences can be told whole in few lines.
    const { alone: others, together: repeated } = toldTogether(alike, alikeOccurrences)
    const { shown, hidden } = fold(others)
    return [
      { items: repeated.flatMap((same) => groupItem(same, style)), hidden: [] },
      { items: shown.map((change) => itemOf(change, style)), hidden },
    ]
  })
  return [{ items: told, hidden: [] }, ...quiet].filter(({ items }) => items.length > 0)
}

/** Changes in groups of several, and the others in their order. */
const toldTogether = (
  changes: readonly ReportedChange[],
  groupsOf: (changes: readonly ReportedChange[]) => ReportedChange[][],
): { readonly alone: readonly ReportedChange[]; readonly together: readonly ReportedChange[][] } => {
  const together = groupsOf(changes).filter(({ length }) => length > 1)
  const grouped = new Set(together.flat())
  return { alone: changes.filter((change) => !grouped.has(change)), together }
}

/** Very many that do the same are told as one; otherwise those of one entry and description, which only repeat it. */
const alikeEffects = (changes: readonly ReportedChange[]): ReportedChange[][] =>
  alikeChanges(changes).flatMap((alike) =>
    alike.length > FOLD.over
      ? [alike]
      : groupBy(alike, ({ address, what }) => JSON.stringify([entryOf(address), what])),
  )

/** Items of one kind; those without details have no blank lines between them. */
const blockLines = (
  items: readonly Item[],
  hidden: readonly ReportedChange[],
  column: number,
  style: FieldStyle,
): Line[] => {
  const lines = items.flatMap((item, index) => {
    const above = items[index - 1]
    const gap = above === undefined || above.body.length === 0 ? [] : [BLANK]
    return [...gap, ...itemLines(item, column, style)]
  })
  return hidden.length === 0 ? lines : [...lines, ...hiddenLines(hidden, style)]
}

/** Adjacent items without fields that have the same text share it, unless everything is requested. */
const withoutRepeats = (items: readonly Item[]): Item[] =>
  items.map((item, index) => {
    const next = items[index + 1]
    const isSaid = next !== undefined && !item.hasFields && !next.hasFields && isSame(item.body, next.body)
    if (!isSaid) return item
    return { ...item, what: isSame(item.what, next.what) ? [] : item.what, body: [] }
  })

const isSame = (a: readonly Line[], b: readonly Line[]): boolean => JSON.stringify(a) === JSON.stringify(b)

const hiddenLines = (hidden: readonly ReportedChange[], style: FieldStyle): Line[] => {
  const flags = groupBy(
    hidden.flatMap(({ needs }) => needs ?? []),
    ({ flag }) => flag,
  ).map((needs) => `${needs.length} of them need ${needs[0]?.flag ?? ''}`)
  const text = [moreLikeIt(hidden.length), ...flags].join('; ')
  return indented(4, hanging(text, proseRoom(style) - 4, flags.length > 0 ? 'warn' : 'dim'))
}

/** However wide the terminal is, a position stays close to what it locates. */
const PLACE_EDGE = 85

const placeColumn = (items: readonly Item[], style: FieldStyle): number => {
  const edge = Math.min(roomOf(style), PLACE_EDGE)
  const longestPlace = largest(items.map(({ place }) => displayWidth(place ?? '')))
  const longestHead = largest(items.map((item) => widthOf(headOf(item, style).head)))
  return Math.max(edge - longestPlace, Math.min(longestHead + 2, roomOf(style) - longestPlace))
}

/** The head with its label, or by itself with what belongs into the next line. */
const headOf = (
  { head, label }: Item,
  style: FieldStyle,
): { readonly head: Line; readonly below: readonly string[] } => {
  if (label === undefined) return { head, below: [] }
  const whole = [...head, span(`  ${label}`)]
  return widthOf(whole) <= roomOf(style) ? { head: whole, below: [] } : { head, below: [label] }
}

const itemLines = (item: Item, column: number, style: FieldStyle): Line[] => {
  const { head, below } = headOf(item, style)
  const body = [...item.what, ...item.body]
  const place = item.place ?? ''
  const used = widthOf(head)
  const gap = Math.max(2, column - used)
  if (below.length === 0 && used + gap + displayWidth(place) <= roomOf(style))
    return [[...head, ...(place === '' ? [] : [span(' '.repeat(gap)), span(place, 'dim')])], ...body]
  const next = [place, ...below].filter((each) => each !== '').join('  ')
  return [head, ...indented(INDENT, next === '' ? [] : [[span(next, 'dim')]]), ...body]
}
