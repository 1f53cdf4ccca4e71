import { displayWidth } from './display.ts'
import { columnOf, CONSTANT, leastWidth, type Column, type Item } from './columns.ts'
import { cut, hanging, largest, line, pad, span, type Line } from './lines.ts'
import { showValue, typeIn, type FieldTypes } from './values.ts'

const MOST_COLUMNS = 6
const GAP = 2

interface TableOptions {
  readonly fields?: FieldTypes | undefined
  /** Whether the names of the items stand in the order of their importance; otherwise it is guessed. */
  readonly ranked?: boolean
}

/**
 * Items as an aligned table of the most informative fields; values that are the same in all items are listed above.
 */
export const tableLines = (
  items: readonly Item[],
  room: number,
  { fields, ranked = false }: TableOptions = {},
): Line[] => {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  const all = names.map((name, index) => columnOf(name, index, items, { type: typeIn(fields, name), ranked }))
  const columns = all.filter(({ worth }) => worth > 0)
  const varying = columns.filter(({ same }) => same === undefined)
  // If nothing varies, only the table is shown.
  const wanted = varying.length === 0 ? columns : varying
  const shown = fitting(wanted, room)
  if (shown.length === 0)
    return items.map((item) => line(cut(showValue(item, { type: fields && { is: 'object', fields } }), room)))
  const shared = columns.filter((column) => column.same !== undefined && !shown.includes(column))
  const left = all.filter(
    (column) =>
      column.nested || (wanted.includes(column) && !shown.includes(column) && !shared.includes(column)),
  )
  return [...sharedLines(shared, room), ...rows(shown, items.length, room), ...leftLines(left, room)]
}

/** What has no room, or no place in a table, must not look like a field that nothing has. */
const leftLines = (columns: readonly Column[], room: number): Line[] =>
  columns.length === 0
    ? []
    : hanging(`left out: ${columns.map(({ name }) => name).join(', ')}; --format json shows all`, room, 'dim')

const sharedLines = (columns: readonly Column[], room: number): Line[] =>
  columns.length === 0
    ? []
    : hanging(
        `in all rows: ${columns.map(({ name, same }) => `${name} ${same ?? ''}`).join(', ')}`,
        room,
        'dim',
      )

const rows = (columns: readonly Column[], count: number, room: number): Line[] => {
  const widths = shrunk(columns, room)
  const row = (textOf: (column: Column) => string): string =>
    columns
      .map((column, index) => pad(shortened(textOf(column), widths[index] ?? 0), widths[index] ?? 0))
      .join(' '.repeat(GAP))
  return [
    [
      span(
        row(({ name }) => name),
        'dim',
      ),
    ],
    ...Array.from({ length: count }, (_, index) => line(row(({ cells }) => cells[index] ?? ''))),
  ]
}

/** The end of a constant, such as `MAINTENANCE_WINDOW_ADDED_AUDIT`, distinguishes it from others. */
const shortened = (text: string, width: number): string =>
  text.length > width && CONSTANT.test(text) ? `…${text.slice(1 - width)}` : cut(text, width)

/** With so many columns, a further one has to fit beside whole constants. */
const ENOUGH = 4

/** The most informative columns that fit, in their own order; at least one. */
const fitting = (columns: readonly Column[], room: number): Column[] => {
  const taken: Column[] = []
  for (const column of columns.toSorted((a, b) => b.worth - a.worth)) {
    if (taken.length === MOST_COLUMNS) break
    const widthIn = (each: Column): number =>
      each.constant && taken.length >= ENOUGH ? each.width : leastWidth(each, room)
    const needed = [...taken, column].reduce((sum, each) => sum + widthIn(each) + GAP, -GAP)
    if (taken.length === 0 || needed <= room) taken.push(column)
  }
  return columns.filter((column) => taken.includes(column))
}

/** The widest texts shrink first, and constants last. */
const shrunk = (columns: readonly Column[], room: number): number[] => {
  const widths = columns.map(({ width }) => width)
  let excess = widths.reduce((sum, width) => sum + width + GAP, -GAP) - room
  while (excess > 0) {
    const [widest] = columns
      .map((column, index) => ({
        ...column,
        index,
        width: widths[index] ?? 0,
        least: leastWidth(column, room),
      }))
      .filter(({ width, least }) => width > least)
      .toSorted((a, b) => Number(a.constant) - Number(b.constant) || b.width - a.width)
    if (widest === undefined) break
    widths[widest.index] = widest.width - 1
    excess -= 1
  }
  return widths
}

export const widestName = (names: readonly string[], most: number): number =>
  Math.min(most, largest(names.map((name) => displayWidth(name))))
