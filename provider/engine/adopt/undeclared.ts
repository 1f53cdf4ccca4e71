import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import type { Identity } from '../../core/values.ts'
import { entryOf } from '../values/address.ts'
import { identityKey } from '../values/identity.ts'
import type { Declaration, Records } from '../values/model.ts'
import { isNamedIn, namedBy } from './elsewhere.ts'

interface UndeclaredInput {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  readonly places: readonly Identity[]
}

/** Keys of what lists show: of all of it, and of what is declared. */
interface Listed {
  readonly shown: ReadonlySet<string>
  readonly declared: ReadonlySet<string>
}

/**
 * Addresses of what is recorded, and whose entry stands in no manifest any more, or leaves it out: a person has taken
 * it out, or its file was lost. What an entry by another name declares has only been renamed.
 */
export const undeclaredIn = (
  { definitions, declaration: { entries }, records, places }: UndeclaredInput,
  { shown, declared }: Listed,
): string[] => {
  const names = new Set(entries.map(({ address }) => entryOf(address)))
  return Object.entries(records).flatMap(([address, record]) => {
    const definition = definitionOf(definitions, record.kind)
    if (definition === undefined || !isIn(places, record.identity)) return []
    const key = identityKey(definition, record.identity)
    if (declared.has(key) || (names.has(entryOf(address)) && !shown.has(key))) return []
    // Of what a list shows, the keys of all that is declared are known.
    const isRenamed =
      definition.observe.how !== 'everything' &&
      entries.some(
        ({ kind, values }) =>
          kind === record.kind &&
          isNamedIn(record, namedBy([textOf(values[definition.identity.declaredAs])])),
      )
    return isRenamed ? [] : [address]
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : '\0')

/** Events of an organization are about everything in it. */
export const isIn = (places: readonly Identity[], place: Identity): boolean =>
  places.some((each) => Object.entries(each).every(([name, id]) => (place[name] ?? id) === id))
