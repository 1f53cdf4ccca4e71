import { displayWidth } from '../config/display.ts'
import { cut, line, pad, span, type Line } from './lines.ts'
import { isId, showValue } from './values.ts'
import { instantOf } from './instants.ts'

export type Item = Readonly<Record<string, unknown>>

interface Column {
  readonly name: string
  readonly cells: readonly string[]
  /** Columns of the terminal that it takes uncut. */
  readonly width: number
  /** A cut id or instant is worth nothing. */
  readonly whole: boolean
  readonly worth: number
}

const MOST_COLUMNS = 6
const GAP = 2
const NARROWEST_TEXT = 12

/** Items as an aligned table of the fields that tell most, in the order in which the items have them. */
export const tableLines = (items: readonly Item[], room: number, most = MOST_COLUMNS): Line[] => {
  const columns = fitting(columnsOf(items), room, most)
  if (columns.length === 0) return items.map((item) => line(cut(showValue(item), room)))
  const widths = shrunk(columns, room)
  const row = (textOf: (column: Column) => string): string =>
    columns
      .map((column, index) => pad(cut(textOf(column), widths[index] ?? 0), widths[index] ?? 0))
      .join(' '.repeat(GAP))
  return [
    [
      span(
        row(({ name }) => name),
        'dim',
      ),
    ],
    ...items.map((_, index) => line(row(({ cells }) => cells[index] ?? ''))),
  ]
}

const columnsOf = (items: readonly Item[]): Column[] => {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  return names.map((name, index) => columnOf(name, index, items)).filter(({ worth }) => worth > 0)
}

const columnOf = (name: string, index: number, items: readonly Item[]): Column => {
  const values = items.map((item) => item[name])
  const present = values.filter((value) => !isNothing(value))
  const cells = values.map((value) => (isNothing(value) ? '' : showValue(value)))
  return {
    name,
    cells,
    width: Math.max(displayWidth(name), ...cells.map((cell) => displayWidth(cell))),
    whole: present.some(
      (value) => (typeof value === 'string' && isId(value)) || instantOf(value) !== undefined,
    ),
    worth: worthOf(name, index, present, items.length),
  }
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** How much a field tells: what names the thing first, what is the same everywhere or nested last. */
const worthOf = (name: string, index: number, present: readonly unknown[], total: number): number => {
  if (present.length === 0) return 0
  const isComposed = present.some((value) => typeof value === 'object' && value !== null)
  const isText = present.every(
    (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  )
  if (isComposed && !isText) return 0
  const shown = present.map((value) => showValue(value))
  const isConstant = total > 1 && present.length === total && new Set(shown).size === 1
  const isForeignId = name !== 'id' && present.every((value) => typeof value === 'string' && isId(value))
  const average = shown.reduce((sum, text) => sum + text.length, 0) / shown.length
  return (
    100 +
    (name === 'id' ? 100 : 0) +
    (/(?:name|type|status|state|enabled)$/i.test(name) ? 30 : 0) +
    (/^(?:created|value)$/.test(name) ? 15 : 0) -
    (isConstant ? 60 : 0) -
    (isForeignId ? 35 : 0) -
    (average > 40 ? 40 : 0) -
    30 * (1 - present.length / total) -
    Math.min(index, 20)
  )
}

/** The columns of most worth that fit, in their own order; at least one. */
const fitting = (columns: readonly Column[], room: number, most: number): Column[] => {
  const byWorth = columns.toSorted((a, b) => b.worth - a.worth)
  const taken: Column[] = []
  for (const column of byWorth) {
    if (taken.length === most) break
    const needed = [...taken, column].reduce((sum, each) => sum + leastWidth(each) + GAP, -GAP)
    if (taken.length === 0 || needed <= room) taken.push(column)
  }
  return columns.filter((column) => taken.includes(column))
}

const leastWidth = ({ whole, width, name }: Column): number =>
  whole ? width : Math.min(width, Math.max(NARROWEST_TEXT, displayWidth(name)))

/** The widest texts give way first. */
const shrunk = (columns: readonly Column[], room: number): number[] => {
  const widths = columns.map(({ width }) => width)
  let excess = widths.reduce((sum, width) => sum + width + GAP, -GAP) - room
  while (excess > 0) {
    const [widest] = columns
      .map((column, index) => ({
        index,
        spare: (widths[index] ?? 0) - leastWidth(column),
        width: widths[index] ?? 0,
      }))
      .filter(({ spare }) => spare > 0)
      .toSorted((a, b) => b.width - a.width)
    if (widest === undefined) break
    widths[widest.index] = widest.width - 1
    excess -= 1
  }
  return widths
}
