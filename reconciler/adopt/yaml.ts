import { isBareWord } from '@deploymgmt/provider/core'
import { visible } from '../text/display.ts'
import { toJson } from '../text/json.ts'
import { wrap } from '../text/lines.ts'

/** A text in manifest syntax, with expressions escaped, and with invisible characters by their number. */
const textIn = (text: string): string =>
  isBareWord(text) ? text : visible(toJson(text.split('${').join('$${')))

/** A value in one line. */
export const flow = (value: unknown): string => {
  if (typeof value === 'string') return textIn(value)
  if (Array.isArray(value)) return `[${value.map((each: unknown) => flow(each)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return toJson(value)
  const pairs = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{ ${pairs.map(([name, each]) => `${textIn(name)}: ${flow(each)}`).join(', ')} }`
}

/** A comment on one line, whatever text the service provided. */
export const commentLine = (text: string): string => `# ${visible(text)}`

const WIDEST = 120

/** Sentences as wrapped comments. */
export const comments = (text: string, { indent = '', sign = '#' } = {}): string[] => {
  const before = `${indent}${sign} `
  return wrap(visible(text), WIDEST - before.length).map((line) => `${before}${line}`)
}

/** An entry of a section on one line, or with a field per line if that is too long. */
export const entryLines = (name: string, values: Readonly<Record<string, unknown>>): string[] =>
  linesOf('  ', name, values)

const linesOf = (indent: string, name: string, value: unknown): string[] => {
  const short = `${indent}${name}: ${flow(value)}`
  const more = `${indent}  `
  if (short.length <= WIDEST || typeof value !== 'object' || value === null) return [short]
  if (Array.isArray(value)) return [`${indent}${name}:`, ...wrapped(more, value)]
  const pairs = Object.entries(value).filter(([, each]) => each !== undefined)
  if (pairs.length === 0) return [short]
  return [`${indent}${name}:`, ...pairs.flatMap(([field, each]) => linesOf(more, textIn(field), each))]
}

/** As many items per line as fit. */
const wrapped = (indent: string, items: readonly unknown[]): string[] => {
  const lines: string[] = []
  let line = `${indent}[`
  for (const [index, item] of items.entries()) {
    const text = `${flow(item)}${index === items.length - 1 ? ']' : ','}`
    const isFirst = index === 0
    if (!isFirst && line.length + 1 + text.length > WIDEST) {
      lines.push(line)
      line = `${indent} ${text}`
    } else line += isFirst ? text : ` ${text}`
  }
  return [...lines, line]
}
