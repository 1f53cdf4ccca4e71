import { instantOf, showInstant, sayMoment } from '../../text/instants.ts'
import { showValue, tellingLength } from '../../text/values.ts'
import type { ReportedDriftedField } from '../document/reported.ts'
import { ofField, type FieldOptions } from '../document/field-type.ts'
import { fromWhereTheyDiffer, lacks, sideOf } from '../wording/value-pairs.ts'
import { clip } from '@deploymgmt/provider/core/text'
import { html, type Html } from './escape.ts'

/** The length of a value in a table cell; the row's details have all of it. */
const CELL = 90
/** Longer values scroll within their frame. */
const LONG = 1500

interface Sides {
  readonly before: string
  readonly after: string
}

/** Both sides of a field for the table: starting where they differ, if a cut would hide that. */
export const shortSides = (field: ReportedDriftedField, options: FieldOptions): Sides => {
  const idLength = tellingLength([field.before, field.after], options.names)
  const [before, after] = [field.before, field.after].map((value) =>
    sideOf(value, field, { ...options, idLength }),
  ) as [string, string]
  const isHidden = before !== after && before.slice(0, CELL) === after.slice(0, CELL)
  const [was, is] = isHidden ? fromWhereTheyDiffer(before, after) : [before, after]
  return { before: clip(was, CELL), after: clip(is, CELL) }
}

/** One whole side; a list has an item per line, marked if the other side lacks it. */
export const wholeSide = (field: ReportedDriftedField, side: keyof Sides, options: FieldOptions): Html => {
  const value = field[side]
  const other = field[side === 'before' ? 'after' : 'before']
  if (!Array.isArray(value) || value.length === 0 || !(Array.isArray(other) || other === null))
    return scrolling(sideOf(value, field, options))
  const items = value.map((item: unknown) => {
    const text = showValue([item], ofField(options, field.path))
    const isKept = Array.isArray(other) && !lacks(other, item)
    if (isKept) return html`<li>${scrolling(text)}</li>`
    return side === 'before'
      ? html`<li class="gone"><del>${scrolling(text)}</del></li>`
      : html`<li class="come"><ins>${scrolling(text)}</ins></li>`
  })
  return html`<ul class="items">
    ${items}
  </ul>`
}

/** Long text gets a scrolling frame that the keyboard can reach. */
export const scrolling = (text: string): Html =>
  text.length <= LONG
    ? html`<bdi>${text}</bdi>`
    : html`<span class="long" tabindex="0" role="group" aria-label="long text"><bdi>${text}</bdi></span>`

/** An instant for people and machines; other text stays as it is. */
export const timeOf = (text: string): Html => timeAs(text, showInstant)

/** When something happened, to the second. */
export const momentOf = (text: string): Html => timeAs(text, sayMoment)

/** HTML allows three digits of a fraction, and a service may give more. */
const timeAs = (text: string, show: (text: string) => string): Html => {
  const at = instantOf(text)
  return at === undefined
    ? html`<bdi>${clip(text, CELL)}</bdi>`
    : html`<time datetime="${new Date(at).toISOString()}">${show(text)}</time>`
}
