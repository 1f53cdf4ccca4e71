import type { Sentence } from './definition.ts'
import type { Values } from './values.ts'

/** How a door (manifests, Terraform) spells what sentences name. */
export interface Spelling {
  /** A field by its name. */
  readonly field: (name: string) => string
  /** A field with a value. */
  readonly setting: (name: string, value: string) => string
  /** A kind's name in what a person writes: a manifest's section, or Terraform's type. */
  readonly kind: (names: { readonly kind: string; readonly section: string }) => string
  /** The name that a person gave to an id, such as a project's. */
  readonly nameOf: (field: string, id: string) => string | undefined
}

/** A fragment as a sentence. If it begins with a name, the name keeps its letters, and only the period is added. */
export const asSentence = (fragment: string): string =>
  ended(`${fragment.charAt(0).toUpperCase()}${fragment.slice(1)}`)

/** A fragment with the stop of a sentence: a question has its own, and so have sentences behind a fragment. */
export const ended = (fragment: string): string => (/[.?]$/.test(fragment) ? fragment : `${fragment}.`)

/** A sentence with values in it. What a person wrote is never read as a part of the sentence. */
export const sentence = (parts: TemplateStringsArray, ...values: readonly string[]): Sentence => ({
  text: parts.reduce((text, part, index) => `${text}{${index - 1}}${part}`),
  of: Object.fromEntries(values.entries()),
})

/**
 * A definition's sentence as a door says it: `{projectId}` becomes the value, by name where names are known,
 * `{.userId}` the field's name, and `{enabled: false}` the setting. What has no value stays as it is, but for
 * `{(what)}`: a blank and the value in parentheses, or nothing.
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

/** As manifests spell it. */
export const manifestSpelling = (nameOf: Spelling['nameOf'] = () => undefined): Spelling => ({
  field: (name) => name,
  setting: (name, value) => `${name}: ${value}`,
  kind: ({ section }) => section,
  nameOf,
})
