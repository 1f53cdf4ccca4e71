import { asHtml } from '@deploymgmt/provider/core/text'
import { visible } from '../../text/display.ts'

/** Markup. Only `html` creates it, so that everything else is text. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

export type Part = Html | readonly Html[] | string | number | undefined

/** A template for markup: text is escaped, and invisible characters in it are spelt out. */
export const html = (literal: TemplateStringsArray, ...parts: readonly Part[]): Html => {
  const texts = withoutIndents(literal)
  let markup = texts[0] ?? ''
  for (const [index, part] of parts.entries()) markup += markupOf(part) + (texts[index + 1] ?? '')
  return new Html(markup)
}

/** Indentation only helps readers of the source, and adds up in ten thousand rows. */
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
  if (typeof part === 'string') return asHtml(visible(part))
  if (typeof part === 'number') return String(part)
  return part === undefined ? '' : part.map(({ markup }) => markup).join('')
}
