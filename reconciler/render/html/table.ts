import type { Actor } from '@deploymgmt/provider/engine'
import type { ValueOptions } from '../../text/values.ts'
import type { ReportedDriftedField, ReportedEvidence } from '../document/reported.ts'
import { clip } from '@deploymgmt/provider/core/text'
import { html, NOTHING, type Html } from './escape.ts'
import { badge, type Mark } from './marks.ts'
import { shortSides } from './values.ts'
import { whenCell, whoCell } from './who.ts'

/** Titles of a field's two values: recorded and live, or now and planned. */
export interface SideTitles {
  readonly before: string
  readonly after: string
}

/** A row of the table for one address, or for several that do the same, with the part that opens below it. */
export interface Row {
  readonly address: string
  /** How many it stands for, if not one. */
  readonly count?: number
  /** A description, if the address does not say it. */
  readonly what?: string
  readonly kind: string
  readonly mark: Mark
  /** Further text that is always visible, below the mark. */
  readonly aside?: string
  readonly reason: string
  readonly fields: readonly ReportedDriftedField[]
  /** The title of a field's second value, if it differs from its column's. */
  readonly after?: string
  readonly evidence: ReportedEvidence
  readonly actor?: Actor
  readonly details: Html
}

export interface Shown extends SideTitles {
  /** The title of the second column: verdict, or action. */
  readonly mark: string
  readonly options: ValueOptions
}

type Common = Pick<Row, 'address' | 'what' | 'kind' | 'reason' | 'evidence' | 'actor'>

/** The properties that changes and drifts have in common with their rows. */
export const commonOf = ({ address, what, kind, reason, evidence, actor }: Common): Common => ({
  address,
  ...(what === undefined ? {} : { what }),
  kind,
  reason,
  evidence,
  ...(actor === undefined ? {} : { actor }),
})

/** The worst first, otherwise in the order of the document. */
export const byRank = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => a.mark.rank - b.mark.rank)

interface Named {
  readonly id: string
  readonly caption: string
  /** Of the ids of its rows. */
  readonly prefix: string
}

const ADDRESS_ROOM = 140
const REASON_ROOM = 220

/**
 * Roles are explicit: browsers drop those of a table with a grid layout, and only grid rows can be skipped in
 * drawing.
 */
export const tableOf = (rows: readonly Row[], shown: Shown, { id, caption, prefix }: Named): Html => {
  const isSigned = rows.some((row) => whoCell(row) !== NOTHING || whenCell(row) !== NOTHING)
  const signed = isSigned ? ['Who', 'When'] : []
  const heads = ['Address', shown.mark, 'Field', shown.before, shown.after, ...signed].map(
    (title) => html`<th role="columnheader" scope="col">${title}</th>`,
  )
  return html`<table
    id="${id}"
    class="rows${isSigned ? '' : ' unsigned'}"
    role="table"
    data-before="${shown.before}"
    data-after="${shown.after}"
  >
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${heads}
        <th role="columnheader" scope="col" class="open"><span class="hidden">Details</span></th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map((row, index) => rowOf(row, `${prefix}${String(index)}`, { ...shown, isSigned }))}
    </tbody>
  </table>`
}

/** Without a row that names somebody or an instant (`isSigned`), those columns would only take room. */
const rowOf = (
  row: Row,
  id: string,
  { before, after, options, isSigned }: Shown & { readonly isSigned: boolean },
): Html => {
  const { mark } = row
  const signed = isSigned ? html`${cell('who', whoCell(row))} ${cell('when', whenCell(row))}` : NOTHING
  return html` <tr
    role="row"
    id="${id}"
    class="${mark.counts ? 'counts' : 'rests'}"
    data-mark="${mark.key}"
    data-rank="${mark.rank}"
  >
    <th role="rowheader" scope="row" class="at">${shownAddress(row.address)}${whatOf(row)}</th>
    <td role="cell" class="is">${badge(mark)}${asideOf(row)}</td>
    ${fieldCells(row, before, after, options)} ${signed}
    <td role="cell" class="open">
      <details>
        <summary><span class="hidden">Details of ${clip(row.address, ADDRESS_ROOM)}</span></summary>
        <div class="details">${row.details}</div>
      </details>
    </td>
  </tr>`
}

const asideOf = ({ aside }: Row): Html =>
  aside === undefined ? NOTHING : html` <i class="more">${aside}</i>`

const whatOf = ({ what }: Row): Html =>
  what === undefined ? NOTHING : html` <i class="more"><bdi>${clip(what, REASON_ROOM)}</bdi></i>`

/** An empty cell is marked as such. */
const cell = (name: string, content: Html): Html =>
  content === NOTHING
    ? html`<td role="cell" class="${name} nothing"></td>`
    : html`<td role="cell" class="${name}">${content}</td>`

const side = (name: string, title: string, text: string, aside = NOTHING): Html =>
  html`<td role="cell" class="${name}"><span class="label">${title}</span><bdi>${text}</bdi>${aside}</td>`

/** The section is less prominent than the name; together they are exactly the address. */
export const shownAddress = (address: string): Html => {
  const short = clip(address, ADDRESS_ROOM)
  const dot = short.indexOf('.') + 1
  return dot === 0
    ? html`<bdi>${short}</bdi>`
    : html`<bdi><span>${short.slice(0, dot)}</span><wbr />${betweenParts(short.slice(dot))}</bdi>`
}

/** Lines break before the parts of a key rather than within an id. */
const betweenParts = (text: string): Html[] =>
  text.split(/(?<=[[/])/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr />${part}`))

/** Whether the address is cut in the table. */
export const isCut = (address: string): boolean => address.length > ADDRESS_ROOM

const fieldCells = (row: Row, before: string, after: string, options: ValueOptions): Html => {
  const [field, ...others] = row.fields
  if (field === undefined)
    return html`<td role="cell" class="field alone" colspan="3" aria-colspan="3">
      ${clip(row.reason, REASON_ROOM)}
    </td>`
  const sides = shortSides(field, { ...options, kind: row.kind })
  const more = others.length === 0 ? NOTHING : html` <i class="more">and ${others.length} more</i>`
  const own = row.after === undefined ? NOTHING : html` <i class="more">${row.after.toLowerCase()}</i>`
  return html`<td role="cell" class="field"><code>${clip(field.path, REASON_ROOM)}</code>${more}</td>
    ${side('before', before, sides.before)}${side('after', row.after ?? after, sides.after, own)}`
}
