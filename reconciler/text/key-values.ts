import { BLANK, indented, line, pad, paragraphs, span, type Line } from './lines.ts'
import type { Item } from './columns.ts'
import { tableLines, widestName } from './table.ts'
import { showValue } from './values.ts'

const NAME_ROOM = 32

/** One thing as its fields: a line each, texts wrapped, lists of things as tables below. */
export const keyValueLines = (item: Item, room: number): Line[] => {
  const fields = Object.entries(item).filter(([, value]) => value !== undefined && !isLinks(value))
  const width =
    widestName(
      fields.map(([name]) => name),
      NAME_ROOM,
    ) + 2
  return fields.flatMap(([name, value]) =>
    isListOfThings(value) ? nested(name, value, room) : plain(name, value, width, room),
  )
}

const plain = (name: string, value: unknown, width: number, room: number): Line[] => {
  // A text of several lines was written for people; its line breaks are meant.
  const text = typeof value === 'string' && value.includes('\n') ? value.trimEnd() : showValue(value)
  const [first, ...others] = paragraphs(text, Math.max(20, room - width))
  return [[span(pad(name, width), 'dim'), ...(first ?? [])], ...indented(width, others)]
}

const nested = (name: string, items: readonly Item[], room: number): Line[] => [
  BLANK,
  [span(name, 'dim'), ...line(` (${items.length})`)],
  ...indented(2, tableLines(items, room - 2)),
]

const isListOfThings = (value: unknown): value is readonly Item[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => typeof each === 'object' && each !== null && !Array.isArray(each))

/** Addresses of the API are for machines, which read the other format. */
const isLinks = (value: unknown): boolean =>
  Array.isArray(value) &&
  (value as readonly unknown[]).every(
    (each) => typeof each === 'object' && each !== null && 'href' in each && 'rel' in each,
  ) &&
  value.length > 0
