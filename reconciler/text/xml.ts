import { visible } from './display.ts'

/** An element whose text is made visible: neither control characters nor markup can leave it. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly children: readonly (Element | string)[]
}

export const element = (
  name: string,
  attributes: Element['attributes'] = {},
  ...children: readonly (Element | string)[]
): Element => ({ name, attributes, children })

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Keeps line breaks, which are ours; shows characters that XML cannot contain by their number. */
const escaped = (text: string): string =>
  visible(text)
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
    .replaceAll(/[\uFFFE\uFFFF]/g, (character) => `\\u${character.charCodeAt(0).toString(16).toUpperCase()}`)

const written = ({ name, attributes, children }: Element, indent: string): string => {
  const told = Object.entries(attributes)
    .flatMap(([key, value]) => (value === undefined ? [] : [` ${key}="${escaped(String(value))}"`]))
    .join('')
  if (children.length === 0) return `${indent}<${name}${told}/>`
  if (children.every((child) => typeof child === 'string'))
    return `${indent}<${name}${told}>${children.map((child) => escaped(child)).join('\n')}</${name}>`
  const inner = children.map((child) =>
    typeof child === 'string' ? escaped(child) : written(child, `${indent}  `),
  )
  return [`${indent}<${name}${told}>`, ...inner, `${indent}</${name}>`].join('\n')
}

/** A document; strings among the children of an element are lines of its text. */
export const xmlDocument = (root: Element): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, '')}`
