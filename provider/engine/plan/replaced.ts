import type { KindDefinition } from '../../core/definition.ts'
import { replacedAddress } from '../values/address.ts'
import { identityKey } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import { isInForce } from '../values/sort.ts'
import { put, type Effect } from '../values/ledger.ts'
import type { RecordedResource, Records } from '../values/model.ts'
import type { PlannedChange } from './work.ts'

/**
 * Sets replaced records aside: those whose address means another thing because the identity was edited, or because
 * the recorded thing goes on beside a renewed one. Such a record moves to `ADDRESS[replaced KEY]`, which nothing
 * declares, and is released once the new thing exists.
 */
export const setAside = (
  instances: readonly Instance[],
  records: Records,
  goesOnBeside: (instance: Instance, record: RecordedResource) => boolean,
) => {
  // Usually no record is replaced, and nothing has to be copied.
  let result: Record<string, RecordedResource> | undefined
  const asides = new Map<string, string>()
  for (const instance of instances) {
    const { address, definition } = instance
    const record = (result ?? records)[address]
    if (record === undefined || isInForce(record)) continue
    if (!meansAnother(instance, record) && !goesOnBeside(instance, record)) continue
    const aside = asideAddress(definition, address, record)
    result ??= { ...records }
    delete result[address]
    result[aside] = record
    asides.set(address, aside)
  }
  return { records: result ?? records, asides }
}

/** Whether the identity was edited: the entry names another thing than the one that is recorded at its address. */
const meansAnother = ({ identity }: Pick<Instance, 'identity'>, record: RecordedResource): boolean => {
  // If no id was known before, a declared id names the same thing.
  let isEdited = false
  for (const name in identity)
    isEdited ||= record.identity[name] !== undefined && record.identity[name] !== identity[name]
  return isEdited
}

/**
 * The same, but the key differs as well. The same key in another place is a mistake, or a thing of the same type: only a
 * plan of it tells which.
 */
export const hasAnotherKey = (
  { definition, identity }: Pick<Instance, 'definition' | 'identity'>,
  record: RecordedResource,
): boolean => {
  const { key } = definition.identity
  return record.identity[key] !== identity[key] && meansAnother({ identity }, record)
}

/** Frees an address for the record of another thing. The record that has it is released later. */
export const stepAside = (
  definition: KindDefinition,
  address: string,
  record: RecordedResource | undefined,
): Effect[] =>
  record === undefined ? [] : [{ op: 'move', from: address, to: asideAddress(definition, address, record) }]

/** Records a thing at an address; the record of another thing that is there steps aside. */
export const putInstead = (
  definition: KindDefinition,
  address: string,
  resource: RecordedResource,
  records: Records,
): Effect[] => [...stepAside(definition, address, records[address]), put(address, resource)]

/** The address at which a replaced record waits for its release. */
export const asideAddress = (
  definition: KindDefinition,
  address: string,
  { identity }: RecordedResource,
): string => replacedAddress(address, identity[definition.identity.key] ?? identityKey(definition, identity))

export const withAside = (planned: PlannedChange, asides: ReadonlyMap<string, string>): PlannedChange => {
  const aside = asides.get(planned.change.address)
  const { work, change } = planned
  // A blocked change replaces nothing yet.
  if (aside === undefined || change.action === 'blocked') return planned
  if (work.do === 'move' || work.do === 'drop' || work.do === 'release') return planned
  return { ...planned, work: { ...work, aside } }
}
