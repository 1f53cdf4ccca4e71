import { styleText } from 'node:util'
import type { ManifestFinding } from './finding.ts'
import { few } from '../text/few.ts'

type Style = (style: 'red' | 'yellow' | 'bold' | 'dim' | 'cyan', text: string) => string
const plain: Style = (_, text) => text
// The caller decides about colour, not the stream.
const coloured: Style = (style, text) => styleText(style, text, { validateStream: false })

/** Findings for a person: place, line, carets, what was probably meant, and what is allowed. */
export const renderFindings = (
  findings: readonly ManifestFinding[],
  { color = false }: { color?: boolean } = {},
): string =>
  alike(findings)
    .map(([finding, ...others]) =>
      [renderFinding(finding, color ? coloured : plain), ...sameLines(others)].join('\n'),
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
        `   the same at ${few(others.map((each) => (each.path === '' ? placeOf(each) : `${placeOf(each)} (${each.path})`)))}; validate --format json lists each`,
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
  const groups = alike(findings).filter(({ length }) => length > 1)
  const [first, ...others] = groups.map(({ length }) => length)
  const same =
    others.length === 0 && first === findings.length
      ? 'all alike'
      : `${[first, ...others].join(' and ')} of them alike`
  return [...counts.filter((count) => count !== ''), ...(first === undefined ? [] : [same])].join(', ')
}

const many = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`

const renderFinding = (finding: ManifestFinding, style: Style): string => {
  const place = style('bold', `${finding.file}:${finding.line}:${finding.column}`)
  const tone = finding.severity === 'error' ? 'red' : 'yellow'
  const label = finding.severity === 'error' ? '' : style(tone, 'warning: ')
  const path = finding.path === '' ? '' : `${finding.path}: `
  const { allowed, also } = finding
  return [
    `${place}  ${label}${path}${finding.message}`,
    ...excerptLines(finding, style, tone),
    ...(allowed === undefined || allowed.length === 0 ? [] : [`   allowed: ${allowed.join(', ')}`]),
    ...(also === undefined ? [] : [`   also at ${also.file}:${also.line}:${also.column}`]),
  ].join('\n')
}

const excerptLines = (finding: ManifestFinding, style: Style, tone: 'red' | 'yellow'): string[] => {
  const meant = finding.suggestion === undefined ? '' : `did you mean ${finding.suggestion}?`
  const { excerpt } = finding
  if (excerpt === undefined) return meant === '' ? [] : [`   ${meant}`]
  const number = String(finding.line).padStart(5)
  const carets = `${' '.repeat(excerpt.indent)}${style(tone, '^'.repeat(excerpt.width))}`
  return [
    `${style('dim', `${number} │`)} ${excerpt.text}`.trimEnd(),
    `${style('dim', `${' '.repeat(number.length)} │`)} ${carets}${meant === '' ? '' : `  ${style('cyan', meant)}`}`,
  ]
}
