import { displayWidth } from './display.ts'
import { instantOf } from './instants.ts'
import { largest } from './lines.ts'
import { isLinks, looksLikeId, showValue, type ValueType } from './values.ts'

export type Item = Readonly<Record<string, unknown>>

/** One field of all items of a list. */
export interface Column {
  readonly name: string
  readonly cells: readonly string[]
  /** Its uncut width in columns of the terminal. */
  readonly width: number
  /** A cut id or instant is useless. */
  readonly whole: boolean
  /** Whether its texts are constants, of which each part tells; they are cut only if nothing else can be. */
  readonly constant: boolean
  /** The width that shows complete ids within its texts. */
  readonly ids: number
  /** The text if it is the same in all of several items. */
  readonly same: string | undefined
  /** Whether it has values that no cell can show. */
  readonly nested: boolean
  /** How informative it is; 0 hides it. */
  readonly worth: number
}

/** `MAINTENANCE_WINDOW_ADDED_AUDIT`. */
export const CONSTANT = /^[A-Z0-9]+(?:_[A-Z0-9]+)+$/

interface ColumnOptions {
  readonly type: ValueType | undefined
  /** Whether earlier columns are more informative; otherwise that is guessed. */
  readonly ranked: boolean
}

export const columnOf = (
  name: string,
  index: number,
  items: readonly Item[],
  { type, ranked }: ColumnOptions,
): Column => {
  const values = items.map((item) => item[name])
  const present = values.filter((value) => !isNothing(value))
  const cells = asPrecise(values.map((value) => (isNothing(value) ? '' : showValue(value, { type }))))
  const canBeShown = isTabular(present)
  const isSame = items.length > 1 && present.length === items.length && new Set(cells).size === 1
  return {
    name,
    cells,
    width: largest([name, ...cells].map((text) => displayWidth(text))),
    whole: present.some((value) => isWhole(value)),
    constant: cells.some((text) => CONSTANT.test(text)),
    ids: largest(cells.map((text) => widthOfIds(text))),
    same: isSame ? cells[0] : undefined,
    nested: present.length > 0 && !canBeShown && !present.every((value) => isLinks(value)),
    worth: !canBeShown ? 0 : ranked ? 1 / (index + 1) : worthOf(name, index, present, items.length),
  }
}

/** Instants of one column, all with seconds if one has them. */
const asPrecise = (cells: readonly string[]): readonly string[] =>
  cells.some((cell) => /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC$/.test(cell))
    ? cells.map((cell) => cell.replace(/^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}) UTC$/, '$1:00 UTC'))
    : cells

/** A text that is no wider, such as a name, is not cut to make room. */
const SHORT_TEXT = 20
const NARROWEST_TEXT = { least: 16, most: 32 }

/** The width to which a text may shrink to make room for further columns: a fifth of all room. */
export const leastWidth = ({ whole, width, name, ids }: Column, room: number): number => {
  if (whole || width <= SHORT_TEXT) return width
  const fifth = Math.max(NARROWEST_TEXT.least, Math.min(Math.floor(room / 5), NARROWEST_TEXT.most))
  return Math.min(width, Math.max(fifth, displayWidth(name), ids))
}

/** The width up to the end of the first id in a text, including the ellipsis. */
const widthOfIds = (text: string): number => {
  const found = /\b[0-9a-f]{24}(?:[0-9a-f]{8})?\b/.exec(text)
  if (found === null) return 0
  const end = displayWidth(text.slice(0, found.index + found[0].length))
  return end > WIDEST_BEFORE_ID ? 0 : end + 1
}

const WIDEST_BEFORE_ID = 64

const isWhole = (value: unknown): boolean =>
  (typeof value === 'string' && looksLikeId(value)) || instantOf(value) !== undefined

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Plain values and lists of texts; nested values are left to the other format. */
const isTabular = (present: readonly unknown[]): boolean =>
  present.length > 0 &&
  present.every(
    (value) =>
      typeof value !== 'object' ||
      (Array.isArray(value) && value.every((each: unknown) => typeof each === 'string')),
  )

/** Name and status of the thing come first; ids of other things, masks and long texts last. */
const worthOf = (name: string, index: number, present: readonly unknown[], total: number): number => {
  const texts = present.map((value) => showValue(value))
  const isForeignId =
    name !== 'id' && present.every((value) => typeof value === 'string' && looksLikeId(value))
  const isMasked = texts.every((text) => /^\*+$/.test(text))
  const average = texts.reduce((sum, text) => sum + text.length, 0) / texts.length
  return Math.max(
    1,
    200 +
      (name === 'id' ? 100 : 0) +
      (/^host|(?:name|type|status|state|enabled)$/i.test(name) ? 30 : 0) +
      (name === 'created' ? 15 : 0) -
      (isForeignId || isMasked ? 50 : 0) -
      (average > 60 ? 30 : 0) -
      30 * (1 - present.length / total) -
      Math.min(index, 20),
  )
}
