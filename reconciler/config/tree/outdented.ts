import type { ManifestPart } from '@deploymgmt/provider/core'
import { quoted } from '../../text/display.ts'
import { ParsedPair } from './parsed-pair.ts'
import { isNull, type MapNode, type Node, type Pair, type ScalarNode } from './node.ts'

/** The names of the fields that things of a section have; nothing of what is no section of such things. */
export type FieldsIn = (section: string) => ReadonlySet<string> | undefined

export const fieldsIn =
  (parts: Readonly<Record<string, ManifestPart>>): FieldsIn =>
  (section) => {
    const type = Object.hasOwn(parts, section) ? parts[section]?.type : undefined
    return type?.is === 'map' && type.of.is === 'object' ? new Set(Object.keys(type.of.fields)) : undefined
  }

/** A name with nothing below it, and the fields that stand beside it and are meant to stand below. */
export interface Outdented {
  readonly name: ScalarNode
  readonly fields: Map<string, Pair>
}

/**
 * Finds, in a section, the fields of a thing that are indented no further than its name: to YAML they are things of
 * their own, and the thing has nothing. They are read as they are meant, so that this alone is said of them.
 */
export class Outdents {
  readonly found: Outdented[] = []
  readonly #fields: ReadonlySet<string>
  /** The last name, where nothing but fields has come since. */
  #above: Outdented | undefined

  constructor(fields: ReadonlySet<string>) {
    this.#fields = fields
  }

  /** The thing to which a pair belongs as one of its fields; nothing where it is a thing itself. */
  ownerOf(key: ScalarNode, value: Node): Outdented | undefined {
    const isField = this.#fields.has(key.text)
    if (isField && !this.#isThing(value)) return this.#above
    const isEmpty = isNull(value)
    // Beside a field, what can be no thing is one that is misspelt.
    if (this.#above !== undefined && this.#above.fields.size > 0 && value.is !== 'map' && !isEmpty)
      return this.#above
    this.#above = isEmpty && !isField ? { name: key, fields: new Map() } : undefined
    return undefined
  }

  /** What the owner is once it has one field more. */
  with(owner: Outdented, key: ScalarNode, value: Node): Pair {
    if (owner.fields.size === 0) this.found.push(owner)
    owner.fields.set(key.text, new ParsedPair(key, value))
    const [first = key] = [...owner.fields.values()].map((pair) => pair.key)
    const { source, end } = value
    const below: MapNode = { is: 'map', source, start: first.start, end, pairs: owner.fields }
    return new ParsedPair(owner.name, below)
  }

  /** A thing can have the name of a field. */
  #isThing(value: Node): boolean {
    return value.is === 'map' && [...value.pairs.keys()].some((name) => this.#fields.has(name))
  }
}

export const outdentedWords = ({ name, fields }: Outdented): string => {
  const names = [...fields.keys()]
  const all = names.length === 1 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
  const [belong, them] = names.length === 1 ? ['belongs', 'it'] : ['belong', 'them']
  return `${all} ${belong} below ${quoted(name.text)}: indent ${them}`
}
