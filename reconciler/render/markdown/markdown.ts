import { createHash } from 'node:crypto'
import { visible } from '../../text/display.ts'
import { cutLong, GLUE } from '../../text/lines.ts'

/**
 * Markdown that is safe for any content: other people's text is spelt with entities, which no renderer treats as
 * markup, or is between backticks. The same spelling works in Markdown and in HTML within it.
 */

/** Characters with a meaning in Markdown or HTML. */
const MARKUP = /[&<>`*[\]{}#!|~\\@$^]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[\s+=-]|^\d(?=\d*[.)])/g
/** The starts of what servers turn into links: mentions, references, addresses. */
const REFERENCE = /(?:[@#!~%$&^](?=[\w"'])|:(?=[A-Za-z_+/-])|\bwww\.|\bGH(?=-\d))/gi
/** Made visible, other people's text never contains it. */
const BREAK = '\u200B'

const entity = (character: string): string =>
  character === '&' ? '&amp;' : character === '<' ? '&lt;' : `&#${character.codePointAt(0)};`

const LONGEST = { word: 200, prose: 2000 }

/** A sentence without links and mentions. */
export const prose = (text: string): string =>
  cutLong(text.replaceAll(GLUE, ' '), LONGEST.prose)
    .replaceAll(REFERENCE, `$&${BREAK}`)
    .replaceAll(MARKUP, entity)
    .replaceAll(BREAK, entity)

/** A name or a value, in HTML in which Markdown is not parsed. */
export const htmlCode = (text: string): string => {
  const shown = cutLong(text, LONGEST.word)
  if (shown === '') return '(empty)'
  return `<code>${shown.replaceAll('@', `@${BREAK}`).replaceAll(IN_CODE, entity)}</code>`
}
const IN_CODE = /[&<>"'`*_[\]{}#!|~\\@$^%\u200B]|:(?=\/)|\.(?<=\bwww\.)|^\s|\s$/gi

/** A name or a value. */
export const code = (text: string): string => {
  const shown = cutLong(text, LONGEST.word)
  if (shown === '') return '(empty)'
  return /^(?! )[^`|]*(?<! )$/.test(shown) ? `\`${shown}\`` : htmlCode(text)
}

/** Verbatim lines; nothing in them ends the block. */
export const fenced = (language: string, lines: readonly string[]): string => {
  const shown = lines.map((line) => visible(line))
  const longest = Math.max(2, ...shown.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return [fence + language, ...shown, fence].join('\n')
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The head of a table; its rows are items. Cells are Markdown, without line breaks. */
export const tableHead = (cells: readonly string[]): string =>
  [row(cells), row(cells.map(() => '---'))].join('\n')
export const tableRow = row

/** The marker by which a pipeline finds and replaces the comment of an earlier run. Unique for any name. */
export const markerOf = (report: 'plan' | 'drift', name: string): string => {
  const spelt = encodeURIComponent(name.toWellFormed()).replaceAll(/-(?=-)|^-|-$/g, '%2D')
  const short = spelt.length <= 200 ? spelt : `sha256-${createHash('sha256').update(name).digest('hex')}`
  return `<!-- deploymgmt:${report}:${short} -->`
}
