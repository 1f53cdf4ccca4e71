import { comment, wholeSection, type Counting, type Section } from './comment.ts'
import type { ReportedDriftedField, ReportedField, ReportedSubject } from '../document/reported.ts'
import type { FieldOptions } from '../document/field-type.ts'
import { asideOf } from '../wording/findings.ts'
import { groupBy } from '../../text/group-by.ts'
import { projectWithin } from '../wording/beside-address.ts'
import { unverifiableGroups } from '../wording/grouped-addresses.ts'
import { IGNORED, ignoredFields } from '../wording/ignored.ts'
import { code, htmlCode, prose, tableHead, tableRow } from './markdown.ts'
import { few } from '../../text/few.ts'
import { number } from '../../text/number.ts'
import { counted } from '../wording/sentences.ts'
import { valuePair, valueParts } from '../wording/value-pairs.ts'

/** The number of fields in a cell. */
const SOME = 3

/** Which installation, read with which key, compared with which manifest, which addresses, and apart from what. */
export const aboutLine = (doc: ReportedSubject, asOf: string): string => {
  const { about, targeted = [] } = doc
  const ignored = ignoredFields(doc)
  const { manifest, files, baseUrl, publicKey, organizations, projects } = about
  const named = projects.map(({ id, name }) => (name === undefined ? code(id) : `${prose(name)} ${code(id)}`))
  const from = files.length === 0 ? '' : ` from ${few(files.map(code))}`
  return [
    ...(asOf === '' ? [] : [asOf]),
    `manifest ${code(manifest)}${from}`,
    `service ${code(baseUrl)}`,
    `key ${code(publicKey)}`,
    ...(organizations.length === 0
      ? []
      : [`organization${organizations.length === 1 ? '' : 's'} ${few(organizations.map(code))}`]),
    ...(named.length === 0 ? [] : [`project${named.length === 1 ? '' : 's'} ${few(named)}`]),
    ...(targeted.length === 0 ? [] : [`only ${few(targeted.map(code))}`]),
    ...(ignored.length === 0 ? [] : [`${IGNORED}: ${few(ignored.map(code))}`]),
  ].join(' · ')
}

const VALUE = 200

/** The change of a field, within a cell or a sentence. */
const fieldArrow = (field: ReportedField, options: FieldOptions): string => {
  const [was, is] = valuePair(field, VALUE, options)
  const before = field.before === null && field.note === undefined ? '' : `${code(was)} → `
  return `${prose(field.path)} ${before}${code(is)}`
}

/** The changes of a few fields. */
export const someFields = (fields: readonly ReportedField[], options: FieldOptions): string => {
  const others = fields.length - SOME
  const shown = fields
    .slice(0, SOME)
    .map((field) => fieldArrow(field, options))
    .join('<br>')
  return others > 0 ? `${shown}<br>and ${number(others)} more` : shown
}

/** The change of each field, for a list item. */
export const fieldArrows = (fields: readonly ReportedField[], options: FieldOptions): string[] =>
  fields.slice(0, MOST_FIELDS).map((field) => fieldArrow(field, options))

/** No kind has more fields; a document with more is not ours. */
const MOST_FIELDS = 60

/** A value in full: the items of a long list below each other, because what is written must not be cut. */
const wholeCell = (parts: readonly string[]): string => {
  const joined = parts.join(', ')
  return joined.length <= VALUE ? code(joined) : parts.map(code).join('<br>')
}

/** `beside` returns a note in parentheses after a field. */
export const fieldTable = (
  fields: readonly ReportedDriftedField[],
  [before, after]: readonly [string, string],
  options: FieldOptions,
  beside: (field: ReportedDriftedField) => string = (field) => asideOf(field, options),
): string[] => {
  if (fields.length === 0) return []
  const others = fields.length - MOST_FIELDS
  const rows = fields.slice(0, MOST_FIELDS).map((field) => {
    const [was, is] = valueParts(field, VALUE, options).map(wholeCell) as [string, string]
    const aside = beside(field)
    return tableRow([code(field.path), was, aside === '' ? is : `${is} (${prose(aside)})`])
  })
  const more = others > 0 ? [tableRow([`and ${number(others)} more`, '', ''])] : []
  return [[tableHead(['Field', before, after]), ...rows, ...more].join('\n')]
}

/** A folded part: a visible line, and below it paragraphs, then a list that may be cut. */
export const folded = (
  summary: string,
  body: readonly string[],
  names: readonly string[],
  countedAs: Counting,
): Section => ({
  before: `${[`<details><summary>${summary}</summary>`, ...body].join('\n\n')}${names.length === 0 ? '' : '\n'}`,
  items: names.map((name) => `- ${name}`),
  by: '\n',
  after: (left) => [...(left === 0 ? [] : [`- and ${number(left)} more`]), '', '</details>'].join('\n'),
  countedAs,
  count: Math.max(1, names.length),
})

/** A name in the visible line of a folded part, with where it is declared. */
export const summaryName = (name: string, place: string | undefined): string =>
  place === undefined ? htmlCode(name) : `${htmlCode(name)} · ${htmlCode(place)}`

/** With more rows than this, rows are combined by a wider property. */
const MOST_ROWS = 25

interface Effects<T> {
  readonly heads: readonly string[]
  /** Groups of items with the same text. */
  readonly groups: readonly (readonly T[])[]
  /** The wider property by which rows are combined if there are too many. */
  readonly widely: (item: T) => string
  /** The property of an item that a row shows; "several" if it differs within the row. */
  readonly told: (item: T) => string
  /** The cells of a group. */
  readonly rowOf: (group: readonly T[], first: T, isAlike: boolean) => readonly string[]
  readonly countedAs: Counting
}

/** Counts everything: if other parts have no room, this is still complete. */
export const effectTable = <T>({ heads, groups, widely, told, rowOf, countedAs }: Effects<T>): Section[] => {
  const rows = (groups.length <= MOST_ROWS ? groups : groupBy(groups.flat(), widely)).flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : [tableRow(rowOf(group, first, new Set(group.map(told)).size === 1))]
  })
  return rows.length === 0 ? [] : [tableSection(heads, rows, countedAs)]
}

/** A table that can be cut between two rows. */
export const tableSection = (
  heads: readonly string[],
  rows: readonly string[],
  countedAs: Counting,
): Section => ({
  before: tableHead(heads),
  items: rows,
  by: '\n',
  after: (left) =>
    left === 0 ? '' : tableRow([`and ${counted(left, 'more row')}`, ...heads.slice(1).map(() => '')]),
  countedAs,
})

export const unverifiableSection = (
  things: Parameters<typeof unverifiableGroups>[0],
  names: ReadonlyMap<string, string>,
): Section[] =>
  unverifiableGroups(things).map(({ addresses, why }) =>
    folded(
      `${number(addresses.length)} not verifiable: ${htmlCode(addresses[0] ?? '')}${addresses.length > 1 ? ', …' : ''}`,
      [prose(why)],
      addresses.map((each) => whatNamed(each, projectWithin(each, names))),
      (count) => `${number(count)} not verifiable`,
    ),
  )

/** A name, with a description if the name does not contain it. */
export const whatNamed = (name: string, what: string | undefined): string =>
  what === undefined ? code(name) : `${code(name)} (${prose(what)})`

/** Sentences below each other. */
export const bullets = (title: string, sentences: readonly string[], noun: string): Section[] =>
  sentences.length === 0
    ? []
    : [
        {
          before: `**${title}**\n`,
          items: sentences.map((each) => `- ${each}`),
          by: '\n',
          after: (left) => (left === 0 ? '' : `- and ${number(left)} more`),
          countedAs: (count) => counted(count, noun),
        },
      ]

/** The whole report: its first line is the verdict, and the second the marker by which a pipeline finds it. */
export const report = (
  verdict: string,
  marker: string,
  sections: readonly Section[],
  whole: string,
): string => comment([wholeSection(`### ${prose(verdict)}\n\n${marker}`), ...sections], whole)
