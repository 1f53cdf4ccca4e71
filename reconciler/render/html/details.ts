import { asSentence, ended } from '@deploymgmt/provider/core'
import { showValue } from '../../text/values.ts'
import type { ReportedDriftedField, ReportedNeed } from '../document/reported.ts'
import type { WayOut } from '../document/drift-model.ts'
import { textAbove } from '../wording/way-lines.ts'
import { fieldsOfKind, ofField, type FieldOptions } from '../document/field-type.ts'
import { fileAndLine } from '../document/places.ts'
import { html, Html, NOTHING, type Part } from './escape.ts'
import { isCut, type SideTitles } from './table.ts'
import { scrolling, wholeSide } from './values.ts'

/**
 * Each field with its full values before and after, and the declared value if it differs by now. Roles are explicit,
 * as in the table, because rows fold on a phone.
 */
export const fieldsSection = (
  fields: readonly ReportedDriftedField[],
  titles: SideTitles,
  options: FieldOptions,
): Html => {
  if (fields.length === 0) return NOTHING
  const heads = ['Field', titles.before, titles.after, ...(fields.some(isDeclared) ? ['Now declared'] : [])]
  return html`<section>
    <table class="fields" role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${heads.map((title) => html`<th role="columnheader" scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${fields.map((field) => fieldRow(field, heads.length > 3, options))}
      </tbody>
    </table>
  </section>`
}
const isDeclared = (field: ReportedDriftedField): boolean => 'declared' in field

const fieldRow = (field: ReportedDriftedField, hasDeclared: boolean, options: FieldOptions): Html => {
  const declared = isDeclared(field)
    ? scrolling(showValue(field.declared, ofField(options, field.path)))
    : 'as recorded'
  return html`<tr role="row">
    <th role="rowheader" scope="row">
      ${scrolling(field.path)}${field.note === undefined ? NOTHING : html`<small>${field.note}</small>`}
    </th>
    <td role="cell">${wholeSide(field, 'before', options)}</td>
    <td role="cell" class="after">${wholeSide(field, 'after', options)}</td>
    ${hasDeclared ? html`<td role="cell">${declared}</td>` : NOTHING}
  </tr>`
}

/** One of the two ways out: what to copy, what to know, what to change. */
export const wayOut = (title: string, way: WayOut | undefined): Html =>
  way === undefined
    ? NOTHING
    : html`<section class="${way.patch === undefined ? 'way' : 'way wide'}">
        <h3>${title}</h3>
        ${paragraph(textAbove(way) ?? '')}${way.command === undefined ? NOTHING : copied(html`${way.command}`)}${way.entry === undefined ? NOTHING : copied(html`${way.entry}`)}${way.patch === undefined ? NOTHING : copied(patchLines(way.patch))}
      </section>`

const copied = (content: Html): Html =>
  html`<div class="copied">
    <pre tabindex="0"><code>${content}</code></pre>
  </div>`

/** Each line is separate: control characters in it are visible, and cannot start another line. */
const patchLines = (patch: string): Html =>
  html`${patch
    .replace(/\n$/, '')
    .split('\n')
    .map(
      (line, index) =>
        html`${index === 0 ? NOTHING : BREAK}<span class="${PATCH[line[0] ?? ''] ?? 'same'}">${line}</span>`,
    )}`
const BREAK = new Html('\n')
const PATCH: Readonly<Record<string, string>> = { '+': 'come', '-': 'gone', '@': 'place' }

export const paragraph = (text: string): Html => (text === '' ? NOTHING : html`<p>${scrolling(text)}</p>`)

/** A reason as a separate sentence; the name of a field keeps its lower case. */
export const asSaid = (reason: string, kind: string): string => {
  if (reason === '') return ''
  const [first = ''] = reason.match(/^\w+/) ?? []
  return (Object.hasOwn(fieldsOfKind(kind) ?? {}, first) ? ended : asSentence)(reason)
}

export const placeFact = (at: string | undefined): Html | undefined => {
  const place = fileAndLine(at)
  return place === undefined ? undefined : html`<code>${scrolling(place)}</code>`
}

export const textFact = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : scrolling(text)

/** If the table shows the whole address, nothing is added. */
export const addressFact = (address: string): Html | undefined =>
  isCut(address) ? scrolling(address) : undefined

export const titled = (title: string, paragraphs: readonly string[]): Html =>
  paragraphs.length === 0
    ? NOTHING
    : html`<section>
        <h3>${title}</h3>
        ${paragraphs.map(paragraph)}
      </section>`

export const needsSection = (needs: readonly ReportedNeed[]): Html =>
  needs.length === 0
    ? NOTHING
    : html`<section>
        <h3>Needs</h3>
        ${needs.map(({ flag, because }) => html`<p><code>${flag}</code>: ${scrolling(because)}</p>`)}
      </section>`

export type Fact = readonly [term: string, value: Part]

/** Terms and their values, without empty ones. */
export const factList = (facts: readonly Fact[]): Html => {
  const known = facts.filter(([, value]) => value !== undefined && value !== '')
  return known.length === 0
    ? NOTHING
    : html`<dl class="facts">
        ${known.map(
          ([term, value]) =>
            html`<div>
              <dt>${term}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>`
}
