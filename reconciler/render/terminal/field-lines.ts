import { displayWidth } from '../../text/display.ts'
import { duration, instantOf, relative } from '../../text/instants.ts'
import type { ReportedChange } from '../document/plan-model.ts'
import type { ReportedField } from '../document/reported.ts'
import { mayBeInstant, ofField, startOf, type FieldOptions } from '../document/field-type.ts'
import { localTime } from '../wording/local-time.ts'
import { cut, hanging, pad, span, widthOf, type Line, type Span } from '../../text/lines.ts'
import { number } from '../../text/number.ts'
import { roomOf, type Style } from '../../text/style.ts'
import { showValue, tellingLength, type ValueOptions } from '../../text/values.ts'
import { fromWhereTheyDiffer, lacks, NOT_KNOWN, sideOf, isUnseen } from '../wording/value-pairs.ts'

/** The column of field names, below the address of their change. */
export const INDENT = 6
const NAME_ROOM = { least: 15, most: 28 }
/** The number of set items that are shown; the rest is counted. */
const ITEMS = 12
/** The number of lines of a long text: of a new thing, where an address of somebody fits, and from an event. */
const TEXT_LINES = 4

export interface FieldStyle extends Style {
  readonly all?: boolean
  readonly isTerminal?: boolean
  /** Whether long lists are folded: those that were found, and never those that are written. */
  readonly folds?: boolean
}

/** How values are laid out. */
interface Layout extends Pick<FieldStyle, 'all' | 'folds'> {
  readonly shown: ValueOptions
  readonly room: number
}

type FieldsOf = Pick<ReportedChange, 'kind' | 'action' | 'fields' | 'evidence' | 'after' | 'zones'>

/** Each changed field on its line: `name   before → after`. */
export const fieldLines = (change: FieldsOf, style: FieldStyle): Line[] => {
  const longest = Math.max(NAME_ROOM.least, ...change.fields.map(({ path }) => displayWidth(path)))
  const nameRoom = Math.min(longest, NAME_ROOM.most) + 2
  const room = roomOf(style) - INDENT - nameRoom
  return change.fields.flatMap((field) => {
    const [first, ...others] = withNote(field, valueLines(field, change, room, style), room)
    const name = span(pad(field.path, nameRoom))
    const gap = span(' '.repeat(nameRoom))
    return [
      [span(' '.repeat(INDENT)), name, ...(first ?? [])],
      ...others.map((each) => [span(' '.repeat(INDENT)), gap, ...each]),
    ]
  })
}

const withNote = ({ note }: ReportedField, lines: readonly Line[], room: number): readonly Line[] => {
  const [only] = lines
  if (note === undefined) return lines
  const text = `(${note})`
  return lines.length === 1 && only !== undefined && widthOf(only) + 2 + displayWidth(text) <= room
    ? [[...only, span('  '), span(text, 'dim')]]
    : [...lines, ...hanging(text, room, 'dim')]
}

const valueLines = (field: ReportedField, change: FieldsOf, room: number, style: FieldStyle): Line[] => {
  const { before, after } = field
  const told = { ...shortIn([before, after], style), names: style.names, kind: change.kind }
  const shown = ofField(told, field.path)
  const layout: Layout = { ...style, shown, room }
  const aside = asideOf(field, change, style)
  if (change.action === 'create') return oneSided(after, aside, layout)
  const [was, is] = [beforeText(field, change, told), afterText(field, told)]
  const whole = [...arrow(was, is), ...aside]
  if (widthOf(whole) <= room) return [whole]
  if (Array.isArray(before) && Array.isArray(after)) {
    const lines = difference(before, after, layout)
    if (lines.length > 0) return lines
  }
  if (field.told !== undefined)
    return before === null
      ? wholeLines(cut(was, TEXT_LINES * (room - 2)), is, aside, room)
      : toldLines(was, is, room)
  if (Array.isArray(after)) return [[span(was, 'dim'), span(' →', 'dim')], ...itemLines(after, layout)]
  return style.all === true ? wholeLines(was, is, aside, room) : twoLines(was, is, aside, room)
}

const arrow = (before: string, after: string): Span[] => [
  span(before, 'dim'),
  span(' → ', 'dim'),
  span(after),
]

/** Ids are shortened only if the whole id is shown elsewhere, and if the short forms of different ids differ. */
const shortIn = (values: readonly unknown[], { atHead = [], names }: FieldStyle) => ({
  idLength: tellingLength([...values, atHead], names),
  shortened: atHead,
})

/** The value before: none, or one that was never read. */
const beforeText = (field: ReportedField, of: FieldsOf, shown: FieldOptions): string =>
  isUnseen(field, of) ? NOT_KNOWN : sideOf(field.before, field, shown)

/** For drift of a thing that no endpoint shows: the value to which an event changed it. */
export const afterText = (field: ReportedField, shown: FieldOptions): string =>
  sideOf(field.after, field, shown)

const oneSided = (value: unknown, aside: readonly Span[], layout: Layout): Line[] => {
  const { shown, room, all } = layout
  const text = showValue(value, shown)
  if (displayWidth(text) + widthOf(aside) <= room) return [[span(text), ...aside]]
  if (Array.isArray(value)) return itemLines(value, layout)
  return hanging(all === true ? text : cut(text, TEXT_LINES * (room - 2)), room)
}

/** An item per line, with as many lines as needed: what is written is agreed to, and must not be cut. */
const itemLines = (items: readonly unknown[], { shown, room, ...layout }: Layout): Line[] =>
  folded(
    items.map((item) => hanging(showValue([item], shown), room)),
    layout,
  )

/** Both values in full. */
const wholeLines = (before: string, after: string, aside: readonly Span[], room: number): Line[] => [
  ...hanging(before, room - 2, 'dim').map((each) => [span('  '), ...each]),
  ...hanging(after, room - 2).map((each, index) => [index === 0 ? span('→ ', 'dim') : span('  '), ...each]),
  ...(aside.length === 0 ? [] : [[span('  '), ...aside]]),
]

/** The two values below each other, starting where they differ if a cut would hide that. */
const twoLines = (before: string, after: string, aside: readonly Span[], room: number): Line[] => {
  const width = room - 2
  const isHidden = cut(before, width) === cut(after, width)
  const [was, is] = isHidden ? fromWhereTheyDiffer(before, after) : [before, after]
  const last = [span('→ ', 'dim'), span(cut(is, width))]
  const fits = widthOf(last) + widthOf(aside) <= room
  return [
    [span('  '), span(cut(was, width), 'dim')],
    ...(fits ? [[...last, ...aside]] : [last, [span('  '), ...aside]]),
  ]
}

/** A value from an event comes last, and is continued below instead of being cut. */
const toldLines = (before: string, after: string, room: number): Line[] => {
  const [first = [], ...others] = hanging(cut(after, TEXT_LINES * (room - 2)), room - 2)
  return [
    [span('  '), span(cut(before, room - 2), 'dim')],
    [span('→ ', 'dim'), ...first],
    ...others.map((each) => [span('  '), ...each]),
  ]
}

/** Removed and added items of a long list, an item per line: no added item may be cut. */
const difference = (
  before: readonly unknown[],
  after: readonly unknown[],
  { shown, room, ...layout }: Layout,
): Line[] => {
  const gone = before.filter((item) => lacks(after, item))
  const come = after.filter((item) => lacks(before, item))
  if (gone.length + come.length === 0) return []
  const kept = after.length - come.length
  const marked = (mark: Span) => (item: unknown) =>
    hanging(showValue([item], shown), room - 2).map((each, index) => [
      index === 0 ? mark : span('  '),
      ...each,
    ])
  return [
    ...folded(gone.map(marked(span('- ', 'remove'))), layout),
    ...folded(come.map(marked(span('+ ', 'add'))), layout),
    ...(kept > 0 ? [[span(`  and ${number(kept)} unchanged`, 'dim')]] : []),
  ]
}

/** @param items with the lines of each */
const folded = (items: readonly (readonly Line[])[], { all, folds }: Pick<Layout, 'all' | 'folds'>): Line[] =>
  all === true || folds !== true || items.length <= ITEMS
    ? items.flat()
    : [
        ...items.slice(0, ITEMS - 2).flat(),
        [span(`… ${number(items.length - ITEMS + 2)} more, --all shows them`, 'dim')],
      ]

/** `(in 15 days)` after an instant; after the end of a period, its length, unless that end is over. */
const asideOf = ({ path, after }: ReportedField, change: FieldsOf, { now }: Style): Span[] => {
  const at = mayBeInstant(change.kind, path) ? instantOf(after) : undefined
  if (at === undefined) return []
  const start = startOf(path, change)
  const isLength = start !== undefined && start < at && at > now.getTime()
  const text = isLength ? duration(at - start) : relative(at, now)
  const zone = change.zones?.[path]
  return [span(zone === undefined ? `  (${text})` : `  (${localTime(at, zone)}, ${text})`, 'dim')]
}
