import { BLANK, indented, line, pad, paragraphs, span, type Line } from './lines.ts'
import type { Item } from './columns.ts'
import { number } from './number.ts'
import { tableLines, widestName } from './table.ts'
import { isLinks, showValue, typeIn, type FieldTypes, type ValueType } from './values.ts'

const NAME_ROOM = 32

/** One thing as its fields: a line each, with wrapped texts, and lists of things as tables below. */
export const keyValueLines = (
  item: Item,
  room: number,
  known?: FieldTypes,
  names?: ReadonlyMap<string, string>,
): Line[] => {
  const fields = Object.entries(item).filter(
    ([name, value]) => value !== undefined && !isLinks(value, typeIn(known, name)),
  )
  const width =
    widestName(
      fields.map(([name]) => name),
      NAME_ROOM,
    ) + 2
  const lines = fields.flatMap(([name, value]) =>
    isListOfThings(value) ? [] : plain({ name, value, type: typeIn(known, name), names }, width, room),
  )
  const tables = fields.flatMap(([name, value]) =>
    isListOfThings(value) ? nested({ name, value, type: typeIn(known, name) }, room) : [],
  )
  return [...lines, ...tables]
}

interface Shown<V> {
  readonly name: string
  readonly value: V
  readonly type: ValueType | undefined
  /** What people call ids. */
  readonly names?: ReadonlyMap<string, string> | undefined
}

const plain = ({ name, value, type, names }: Shown<unknown>, width: number, room: number): Line[] => {
  // A text of several lines was written for people, so its line breaks are kept.
  const text =
    typeof value === 'string' && value.includes('\n') ? value.trimEnd() : showValue(value, { type, names })
  const [first, ...others] = paragraphs(text, Math.max(20, room - width))
  return [[span(pad(name, width), 'dim'), ...(first ?? [])], ...indented(width, others)]
}

const nested = ({ name, value: items, type }: Shown<readonly Item[]>, room: number): Line[] => [
  BLANK,
  [span(name, 'dim'), ...line(` (${number(items.length)})`)],
  ...indented(2, tableLines(items, room - 2, { fields: fieldsIn(type) })),
]

const fieldsIn = (type: ValueType | undefined): FieldTypes | undefined => {
  const inner = type?.of ?? type
  return inner && (inner.fields ?? {})
}

const isListOfThings = (value: unknown): value is readonly Item[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => typeof each === 'object' && each !== null && !Array.isArray(each))
