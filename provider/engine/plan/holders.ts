import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { identityKey, isComplete } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import type { RecordedResource, Records } from '../values/model.ts'

/** The identity key of the thing that an instance stands for; undefined if it is not known. */
export const claimOf = ({ definition, identity, sort, unmatched }: Instance): string | undefined =>
  sort === 'in-force' || unmatched !== undefined || !isComplete(definition, identity)
    ? undefined
    : identityKey(definition, identity)

/** By identity key, the declared addresses of recorded things whose key the service may assign. */
export const holdersOf = (instances: readonly Instance[], records: Records): Map<string, string> =>
  new Map(
    instances.flatMap(({ address, definition }) => {
      const record = records[address]
      return record === undefined || definition.identity.assigned === 'never'
        ? []
        : [[identityKey(definition, record.identity), address] as const]
    }),
  )

/** Records whose addresses nothing declares any more, by identity key. */
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

/** Records whose addresses nothing declares any more. */
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
