import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { declaredIdentity } from '../values/identity.ts'
import type { Entry, RecordedResource } from '../values/model.ts'
import { isInForce } from '../values/sort.ts'
import { hasAnotherKey } from './replaced.ts'

/**
 * Whether the entry at an address names another thing by now than the one that is recorded there, by entries alone:
 * what is outside of a target has no instances.
 */
export const meaningAnother = (
  definitions: readonly KindDefinition[],
  entries: readonly Entry[],
): ((address: string, record: RecordedResource) => boolean) => {
  const byAddress = new Map(entries.map((entry) => [entry.address, entry]))
  return (address, record) => {
    const entry = byAddress.get(address)
    const definition = definitionOf(definitions, record.kind)
    if (entry?.kind !== record.kind || definition === undefined || isInForce(record)) return false
    return hasAnotherKey({ definition, identity: declaredIdentity(definition, entry.values) }, record)
  }
}
