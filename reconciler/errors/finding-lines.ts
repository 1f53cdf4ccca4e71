import { styleText } from 'node:util'
import type { ManifestFinding } from './finding.ts'
import { fittedExcerpt } from './fitted-excerpt.ts'
import { displayWidth } from '../text/display.ts'
import { few } from '../text/few.ts'
import { number } from '../text/number.ts'

type Style = (style: 'red' | 'yellow' | 'bold' | 'dim' | 'cyan', text: string) => string
const plain: Style = (_, text) => text
// The caller decides about colour, not the stream.
const coloured: Style = (style, text) => styleText(style, text, { validateStream: false })

export interface FindingsLook {
  readonly color?: boolean
  /** The columns of the terminal, if it is one; a terminal of unknown size reports 0. */
  readonly width?: number | undefined
}

/** Findings for a person: place, line, carets, what was probably meant, and what is allowed. */
export const renderFindings = (
  findings: readonly ManifestFinding[],
  { color = false, width }: FindingsLook = {},
): string =>
  alike(findings)
    .map(([finding, ...others]) =>
      [renderFinding(finding, color ? coloured : plain, width || Infinity), ...sameLines(others)].join('\n'),
    )
    .join('\n\n')

const MANY = 3
type Alike = readonly [ManifestFinding, ...ManifestFinding[]]

/** Each finding separately, unless many places have the same one. */
const alike = (findings: readonly ManifestFinding[]): Alike[] => {
  const groups = Map.groupBy(findings, sayingOf)
  return findings.flatMap((finding): Alike[] => {
    const group = groups.get(sayingOf(finding)) ?? []
    if (group.length <= MANY) return [[finding]]
    // Copied once per group: there can be as many as there are entries.
    return finding === group[0] ? [[finding, ...group.slice(1)]] : []
  })
}

const sayingOf = ({ severity, message, suggestion, allowed, also }: ManifestFinding): string =>
  JSON.stringify([severity, message, suggestion, allowed, also])

const sameLines = (others: readonly ManifestFinding[]): string[] =>
  others.length === 0
    ? []
    : [
        `   the same at ${few(others.map((each) => (each.path === '' ? placeOf(each) : `${placeOf(each)} (${each.path})`)))}; deploymgmt validate --format json lists each`,
      ]

const placeOf = ({ file, line, column }: ManifestFinding): string => `${file}:${line}:${column}`

/** One line each, for commands with other output; `validate` shows them in full. */
export const listFindings = (findings: readonly ManifestFinding[]): string =>
  alike(findings)
    .map(([first, ...others]) => {
      const { path, message, suggestion, also } = first
      const there = also === undefined ? '' : ` (also at ${also.file}:${also.line}:${also.column})`
      const meant = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
      const same = others.length === 0 ? '' : `; the same at ${few(others.map(placeOf))}`
      return `${placeOf(first)}  warning: ${path === '' ? '' : `${path}: `}${message}${there}${meant}${same}`
    })
    .join('\n')

/** `2 errors, 1 warning.` */
export const countFindings = (findings: readonly ManifestFinding[]): string => {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const counts = [many(errors, 'error'), many(findings.length - errors, 'warning')]
  return [...counts, alikeWords(findings)].filter((part) => part !== '').join(', ')
}

/** `all alike`, `4 and 4 of them alike`, `3 different ones`. */
const alikeWords = (findings: readonly ManifestFinding[]): string => {
  const shown = alike(findings)
  const groups = shown.map(({ length }) => length).filter((length) => length > 1)
  if (groups.length === 0) return ''
  if (shown.length === 1) return 'all alike'
  return groups.length > 2
    ? `${number(shown.length)} different ones`
    : `${groups.map(number).join(' and ')} of them alike`
}

const many = (count: number, noun: string): string =>
  count === 0 ? '' : `${number(count)} ${noun}${count === 1 ? '' : 's'}`

const renderFinding = (finding: ManifestFinding, style: Style, room: number): string => {
  const place = style('bold', `${finding.file}:${finding.line}:${finding.column}`)
  const tone = finding.severity === 'error' ? 'red' : 'yellow'
  const label = finding.severity === 'error' ? '' : style(tone, 'warning: ')
  const path = finding.path === '' ? '' : `${finding.path}: `
  const { allowed, also } = finding
  return [
    `${place}  ${label}${path}${finding.message}`,
    ...excerptLines(finding, { style, tone, room }),
    ...(allowed === undefined || allowed.length === 0 ? [] : [`   allowed: ${allowed.join(', ')}`]),
    ...(also === undefined ? [] : [`   also at ${also.file}:${also.line}:${also.column}`]),
  ].join('\n')
}

/** The columns of an excerpt on a terminal that is too narrow for any. */
const LEAST = 20

interface ExcerptLook {
  readonly style: Style
  readonly tone: 'red' | 'yellow'
  readonly room: number
}

const excerptLines = (finding: ManifestFinding, { style, tone, room }: ExcerptLook): string[] => {
  const meant = finding.suggestion === undefined ? '' : `did you mean ${finding.suggestion}?`
  const below = meant === '' ? [] : [`   ${style('cyan', meant)}`]
  if (finding.excerpt === undefined) return below
  const line = String(finding.line).padStart(5)
  const left = Math.max(LEAST, room - line.length - ' │ '.length)
  const { text, indent, width } = fittedExcerpt(finding.excerpt, left)
  const isBeside = meant !== '' && indent + width + 2 + displayWidth(meant) <= left
  const carets = `${' '.repeat(indent)}${style(tone, '^'.repeat(width))}`
  return [
    `${style('dim', `${line} │`)} ${text}`.trimEnd(),
    `${style('dim', `${' '.repeat(line.length)} │`)} ${carets}${isBeside ? `  ${style('cyan', meant)}` : ''}`,
    ...(isBeside ? [] : below),
  ]
}
