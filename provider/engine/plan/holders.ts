import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { identityKey, isComplete } from '../values/identity.ts'
import type { RecordedResource, Records } from '../values/model.ts'
import type { Instance } from './expand.ts'

/** The one thing at the service that an instance stands for, where it is known. */
export const claimOf = ({ definition, identity, inForce, unmatched }: Instance): string | undefined =>
  inForce || unmatched !== undefined || !isComplete(definition, identity)
    ? undefined
    : identityKey(definition, identity)

/** Declared addresses at which things are recorded that the service names, by identity. */
export const holdersOf = (instances: readonly Instance[], records: Records): Map<string, string> =>
  new Map(
    instances.flatMap(({ address, definition }) => {
      const record = records[address]
      return record === undefined || definition.identity.assigned === 'never'
        ? []
        : [[identityKey(definition, record.identity), address] as const]
    }),
  )

/** Records whose addresses nothing declares any more, by identity. */
export const formerRecords = (
  instances: readonly Instance[],
  records: Records,
  definitions: readonly KindDefinition[],
): Map<string, RecordedResource> =>
  new Map(
    undeclaredRecords(instances, records, definitions).map(({ record, definition }) => [
      identityKey(definition, record.identity),
      record,
    ]),
  )

/** Records at whose addresses nothing is declared any more. */
export const undeclaredRecords = (
  instances: readonly Instance[],
  records: Records,
  definitions: readonly KindDefinition[],
) => {
  const addresses = new Set(instances.map(({ address }) => address))
  const left = Object.keys(records).filter((address) => !addresses.has(address))
  return left.flatMap((address) => {
    const record = records[address]
    const definition = record && definitionOf(definitions, record.kind)
    return record === undefined || definition === undefined ? [] : [{ address, record, definition }]
  })
}
