import { ownValue, type ManifestPart } from '@deploymgmt/provider/core'
import { enumerated } from '@deploymgmt/provider/core/text'
import { quoted } from '../../text/display.ts'
import { ParsedPair } from './parsed-pair.ts'
import { isNull, type MapNode, type Node, type Pair, type ScalarNode } from './node.ts'

/** The field names of a section's entries; undefined if the section has no such entries. */
export type FieldsIn = (section: string) => ReadonlySet<string> | undefined

export const fieldsIn =
  (parts: Readonly<Record<string, ManifestPart>>): FieldsIn =>
  (section) => {
    const type = ownValue(parts, section)?.type
    return type?.is === 'map' && type.of.is === 'object' ? new Set(Object.keys(type.of.fields)) : undefined
  }

/** A name with an empty value, and the fields beside it that should be below it. */
export interface Outdented {
  readonly name: ScalarNode
  readonly fields: Map<string, Pair>
}

/**
 * Finds fields of an entry that are indented no deeper than its name: for YAML they are entries of their own, and
 * the entry is empty. They are treated as fields, so that only the indentation is reported.
 */
export class Outdents {
  readonly found: Outdented[] = []
  readonly #fields: ReadonlySet<string>
  /** The last name, as long as only fields follow. */
  #above: Outdented | undefined

  constructor(fields: ReadonlySet<string>) {
    this.#fields = fields
  }

  /** The entry to which a pair belongs as a field; undefined if it is an entry itself. */
  ownerOf(key: ScalarNode, value: Node): Outdented | undefined {
    const isField = this.#fields.has(key.text)
    if (isField && !this.#isThing(value)) return this.#above
    const isEmpty = isNull(value)
    // After a field, a pair that cannot be an entry is a misspelt field.
    if (this.#above !== undefined && this.#above.fields.size > 0 && value.is !== 'map' && !isEmpty)
      return this.#above
    this.#above = isEmpty && !isField ? { name: key, fields: new Map() } : undefined
    return undefined
  }

  /** The owner's pair with one more field. */
  with(owner: Outdented, key: ScalarNode, value: Node): Pair {
    if (owner.fields.size === 0) this.found.push(owner)
    owner.fields.set(key.text, new ParsedPair(key, value))
    const [first = key] = [...owner.fields.values()].map((pair) => pair.key)
    const { source, end } = value
    const below: MapNode = { is: 'map', source, start: first.start, end, pairs: owner.fields }
    return new ParsedPair(owner.name, below)
  }

  /** An entry can have the name of a field. */
  #isThing(value: Node): boolean {
    return value.is === 'map' && [...value.pairs.keys()].some((name) => this.#fields.has(name))
  }
}

export const outdentedWords = ({ name, fields }: Outdented): string => {
  const names = [...fields.keys()]
  const [belong, them] = names.length === 1 ? ['belongs', 'it'] : ['belong', 'them']
  return `${enumerated(names)} ${belong} below ${quoted(name.text)}: indent ${them}`
}
