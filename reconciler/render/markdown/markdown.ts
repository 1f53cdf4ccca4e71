import { createHash } from 'node:crypto'
import { visible } from '../../text/display.ts'
import { cut, GLUE } from '../../text/lines.ts'

/**
 * Markdown that stays what it is, whatever is put into it: text of others is spelt with entities, which no renderer
 * takes for markup, or stands between backticks. One spelling serves Markdown and the HTML within it.
 */

/** Whatever renderers of Markdown or of HTML give a meaning to. */
const MARKUP = /[&<>`*[\]{}#!|~\\@$^]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[\s+=-]|^\d(?=\d*[.)])/g
/** Beginnings of what servers make links of: mentions, references, addresses. */
const REFERENCE = /(?:[@#!~%$&^](?=[\w"'])|:(?=[A-Za-z_+/-])|\bwww\.)/gi
/** No text of others has it, once it is made visible. */
const BREAK = '\u200B'

const entity = (character: string): string =>
  character === '&' ? '&amp;' : character === '<' ? '&lt;' : `&#${character.codePointAt(0)};`

const LONGEST = { word: 200, prose: 2000 }

/** Widths take time to find: what is cut in any case is not measured whole. */
const shortened = (text: string, most: number): string => {
  const part = text.slice(0, most * 2)
  const shown = cut(visible(part), most)
  return part === text || shown.endsWith('…') ? shown : `${shown}…`
}

/** A sentence, in which nothing is a link and nobody is called. */
export const prose = (text: string): string =>
  shortened(text.replaceAll(GLUE, ' '), LONGEST.prose)
    .replaceAll(REFERENCE, `$&${BREAK}`)
    .replaceAll(MARKUP, entity)
    .replaceAll(BREAK, entity)

/** A name or a value, where HTML stands and Markdown is not looked for. */
export const htmlCode = (text: string): string => {
  const shown = shortened(text, LONGEST.word)
  if (shown === '') return '(empty)'
  return `<code>${shown.replaceAll('@', `@${BREAK}`).replaceAll(IN_CODE, entity)}</code>`
}
const IN_CODE = /[&<>"'`*_[\]{}#!|~\\@$^%\u200B]|:(?=\/)|\.(?<=\bwww\.)|^\s|\s$/gi

/** A name or a value. */
export const code = (text: string): string => {
  const shown = shortened(text, LONGEST.word)
  if (shown === '') return '(empty)'
  return /^(?! )[^`|]*(?<! )$/.test(shown) ? `\`${shown}\`` : htmlCode(text)
}

/** Lines as they are; whatever is within them does not end the block. */
export const fenced = (language: string, lines: readonly string[]): string => {
  const shown = lines.map((line) => visible(line))
  const longest = Math.max(2, ...shown.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return [fence + language, ...shown, fence].join('\n')
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The head of a table; its rows are items. Cells are Markdown, without a line break. */
export const tableHead = (cells: readonly string[]): string =>
  [row(cells), row(cells.map(() => '---'))].join('\n')
export const tableRow = row

/** By what a pipeline finds the comment of an earlier run, to replace it. Any name gives one that is its own. */
export const markerOf = (report: 'plan' | 'drift', name: string): string => {
  const spelt = encodeURIComponent(name.toWellFormed()).replaceAll(/-(?=-)|^-|-$/g, '%2D')
  const short = spelt.length <= 200 ? spelt : `sha256-${createHash('sha256').update(name).digest('hex')}`
  return `<!-- deploymgmt:${report}:${short} -->`
}
