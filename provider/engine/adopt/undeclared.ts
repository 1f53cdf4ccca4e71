import { definitionOf, isReadable, type KindDefinition } from '../../core/definition.ts'
import type { Identity } from '../../core/values.ts'
import { entryOf } from '../values/address.ts'
import { identityKey } from '../values/identity.ts'
import type { Declaration, Records } from '../values/model.ts'
import { knownValues } from './elsewhere.ts'

interface UndeclaredInput {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  readonly places: readonly Identity[]
}

/** Identity keys of the things that lists show, and of those that are declared. */
interface Listed {
  readonly shown: ReadonlySet<string>
  readonly declared: ReadonlySet<string>
}

/**
 * Addresses of records that no entry declares any more: a person has taken the entry out or made it leave the thing
 * out, or its file was lost. A thing that an entry of another name declares was only renamed.
 */
export const undeclaredIn = (
  { definitions, declaration: { entries }, records, places }: UndeclaredInput,
  { shown, declared }: Listed,
): string[] => {
  const names = new Set(entries.map(({ address }) => entryOf(address)))
  const declaredIds = idsIn(definitions, entries)
  return Object.entries(records).flatMap(([address, record]) => {
    const definition = definitionOf(definitions, record.kind)
    if (definition === undefined || !isIn(places, record.identity)) return []
    const key = identityKey(definition, record.identity)
    if (declared.has(key) || (names.has(entryOf(address)) && !shown.has(key))) return []
    // For kinds with lists, `declared` has the keys of everything that is declared.
    const isRenamed =
      !isReadable(definition) &&
      knownValues(record).some((value) => declaredIds.get(record.kind)?.has(value) === true)
    return isRenamed ? [] : [address]
  })
}

/** The ids that entries declare, by kind. */
const idsIn = (
  definitions: readonly KindDefinition[],
  entries: Declaration['entries'],
): ReadonlyMap<string, ReadonlySet<unknown>> =>
  new Map(
    definitions.map(({ kind, identity: { declaredAs } }) => {
      const ids = entries.flatMap((entry) => (entry.kind === kind ? [entry.values[declaredAs]] : []))
      return [kind, new Set(ids.filter((id) => typeof id === 'string' && id !== ''))]
    }),
  )

/**
 * A place that lacks some part, such as that of an event of an organization, is in every place that has the other
 * parts.
 */
export const isIn = (places: readonly Identity[], place: Identity): boolean =>
  places.some((each) => Object.entries(each).every(([name, id]) => (place[name] ?? id) === id))
