import type { About } from './about.ts'
import { comment, paragraph, type Section } from './comment.ts'
import type { SaidDriftedField, SaidField } from './document.ts'
import { asideOf } from './findings.ts'
import { code, htmlCode, prose, tableHead, tableRow } from './markdown.ts'
import { number } from './sentences.ts'
import { valuePair } from './value-pairs.ts'

/** So many names say enough in a cell. */
const SOME = 3

/** `a, b, c and 6 more`. */
export const someOf = (items: readonly string[]): string => {
  const others = items.length - SOME
  return others > 0 ? `${items.slice(0, SOME).join(', ')} and ${number(others)} more` : items.join(', ')
}

/** Which installation, seen with which key, against which manifest. */
export const aboutLine = (about: About | undefined, asOf: string): string => {
  if (about === undefined) return asOf
  const { manifest, files, baseUrl, publicKey, organizations, projects } = about
  const named = projects.map(({ id, name }) => (name === undefined ? code(id) : `${prose(name)} ${code(id)}`))
  const from = files.length === 0 ? '' : ` from ${someOf(files.map(code))}`
  return [
    ...(asOf === '' ? [] : [asOf]),
    `manifest ${code(manifest)}${from}`,
    `service ${code(baseUrl)}`,
    `key ${code(publicKey)}`,
    ...(organizations.length === 0 ? [] : [`organization ${someOf(organizations.map(code))}`]),
    ...(named.length === 0 ? [] : [`project ${someOf(named)}`]),
  ].join(' · ')
}

const VALUE = 200

/** What becomes of a field, within a cell or a sentence. */
export const fieldArrow = (field: SaidField): string => {
  const [was, is] = valuePair(field, VALUE)
  const before = field.before === null && field.note === undefined ? '' : `${code(was)} → `
  return `${prose(field.path)} ${before}${code(is)}`
}

/** So many fields say enough in a cell. */
export const someFields = (fields: readonly SaidField[]): string => {
  const others = fields.length - SOME
  const shown = fields.slice(0, SOME).map(fieldArrow).join('<br>')
  return others > 0 ? `${shown}<br>and ${number(others)} more` : shown
}

/** More fields than any kind has are a document of somebody else's. */
const MOST_FIELDS = 60

/** `beside` says what is to be told in brackets behind a field. */
export const fieldTable = (
  fields: readonly SaidDriftedField[],
  [before, after]: readonly [string, string],
  beside: (field: SaidDriftedField) => string = asideOf,
): string[] => {
  if (fields.length === 0) return []
  const others = fields.length - MOST_FIELDS
  const rows = fields.slice(0, MOST_FIELDS).map((field) => {
    const [was, is] = valuePair(field, VALUE)
    const aside = beside(field)
    return tableRow([code(field.path), code(was), aside === '' ? code(is) : `${code(is)} (${prose(aside)})`])
  })
  const more = others > 0 ? [tableRow([`and ${number(others)} more`, '', ''])] : []
  return [[tableHead(['Field', before, after]), ...rows, ...more].join('\n')]
}

/** What folds: a line that is always seen, and below it paragraphs, then a list that may be cut. */
export const folded = (
  summary: string,
  body: readonly string[],
  names: readonly string[],
  noun: string,
  count = Math.max(1, names.length),
): Section => ({
  before: `${[`<details><summary>${summary}</summary>`, ...body].join('\n\n')}${names.length === 0 ? '' : '\n'}`,
  items: names.map((name) => `- ${name}`),
  by: '\n',
  after: (left) => [...(left === 0 ? [] : [`- and ${number(left)} more`]), '', '</details>'].join('\n'),
  noun,
  count,
})

/** A name in the line of what folds, with where it is declared. */
export const summaryName = (name: string, place: string | undefined): string =>
  place === undefined ? htmlCode(name) : `${htmlCode(name)} · ${htmlCode(place)}`

/** Sentences that are told one below the other. */
export const bullets = (title: string, sentences: readonly string[], noun: string): Section[] =>
  sentences.length === 0
    ? []
    : [
        {
          before: `**${title}**\n`,
          items: sentences.map((each) => `- ${each}`),
          by: '\n',
          after: (left) => (left === 0 ? '' : `- and ${number(left)} more`),
          noun,
        },
      ]

/** The whole: its first line is the verdict, and the second what a pipeline finds it by. */
export const report = (
  verdict: string,
  marker: string,
  sections: readonly Section[],
  whole: string,
): string => comment([paragraph(`### ${prose(verdict)}\n\n${marker}`), ...sections], whole)
