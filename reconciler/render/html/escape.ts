import { visible } from '../../text/display.ts'

/** Markup. `html` alone makes it, so that whatever is no markup is text. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

export type Part = Html | readonly Html[] | string | number | undefined

/** Markup with its holes filled: text is escaped, and what cannot be seen in it is written out. */
export const html = (literal: TemplateStringsArray, ...parts: readonly Part[]): Html => {
  const texts = withoutIndents(literal)
  let markup = texts[0] ?? ''
  for (const [index, part] of parts.entries()) markup += markupOf(part) + (texts[index + 1] ?? '')
  return new Html(markup)
}

/** Indents are for those who read the sources: ten thousand rows have a lot of them. */
const withoutIndents = (literal: TemplateStringsArray): readonly string[] => {
  const known = TEXTS.get(literal)
  if (known !== undefined) return known
  const texts = literal.map((text) => text.replaceAll(/\n\s+/g, '\n'))
  TEXTS.set(literal, texts)
  return texts
}
const TEXTS = new WeakMap<TemplateStringsArray, readonly string[]>()

export const NOTHING = new Html('')

const markupOf = (part: Part): string => {
  if (part instanceof Html) return part.markup
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return part === undefined ? '' : part.map(({ markup }) => markup).join('')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for between tags, and for attributes in quotes. */
const escaped = (text: string): string =>
  visible(text).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/** The beginning of a text that would fill a table's cell and more. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`
