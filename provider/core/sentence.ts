import type { Sentence } from './rule.ts'
import { capitalized } from './text.ts'
import type { Values } from './values.ts'

/** How a door (manifests, Terraform) spells names in sentences. */
export interface Spelling {
  /** A field by its name. */
  readonly field: (name: string) => string
  /** A field with a value. */
  readonly setting: (name: string, value: string) => string
  /** Several things of a kind: in words, or by Terraform's type. */
  readonly kind: (kind: string) => string
  /** The name that a person gave to an id, such as a project's. */
  readonly nameOf: (field: string, id: string) => string | undefined
}

/**
 * Capitalizes a fragment and ends it. A fragment that begins with a name, which keeps its letters, is only `ended`.
 */
export const asSentence = (fragment: string): string => ended(capitalized(fragment))

/** Adds a period to a fragment, unless it ends with one or with a question mark. */
export const ended = (fragment: string): string => (/[.?]$/.test(fragment) ? fragment : `${fragment}.`)

/** A sentence with values in it. What a person wrote is never parsed as a part of the sentence. */
export const sentence = (parts: TemplateStringsArray, ...values: readonly string[]): Sentence => ({
  text: parts.reduce((text, part, index) => `${text}{${index - 1}}${part}`),
  of: Object.fromEntries(values.entries()),
})

/**
 * A definition's sentence as a door says it: `{projectId}` becomes the value (or its name, if known), `{.userId}` the
 * field's name, `{enabled: false}` the setting, and `{(what)}` a space and the value in parentheses, or nothing.
 * Other braces without a value stay as they are.
 */
export const fillSentence = (text: string, values: Values, spelling: Spelling): string =>
  text.replaceAll(
    /\{(\.?)(\w+)(?:: (\w+))?\}|\{\((\w+)\)\}/g,
    (whole, dot: string, name: string, setting: string | undefined, aside: string | undefined) => {
      if (aside !== undefined) return inParentheses(values[aside])
      if (setting !== undefined) return spelling.setting(name, setting)
      if (dot !== '') return spelling.field(name)
      const value = values[name]
      return typeof value === 'string' ? (spelling.nameOf(name, value) ?? value) : whole
    },
  )

const inParentheses = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? ` (${value})` : ''

/** A whole sentence as manifests say it. */
export const inManifest = ({ text, of = {} }: Sentence): string => fillSentence(text, of, manifestSpelling())

/** A kind in prose: `alert configuration`, `API key`. */
export const kindWords = (kind: string): string => kind.replaceAll('_', ' ').replace(/^api\b/, 'API')

/** How manifests spell names. */
export const manifestSpelling = (nameOf: Spelling['nameOf'] = () => undefined): Spelling => ({
  field: (name) => name,
  setting: (name, value) => `${name}: ${value}`,
  kind: (kind) => `${kindWords(kind)}s`,
  nameOf,
})
