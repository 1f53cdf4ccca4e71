import type { KindDefinition } from '../../core/definition.ts'
import { replacedAddress } from '../values/address.ts'
import { identityKey } from '../values/identity.ts'
import type { Effect } from '../values/ledger.ts'
import type { RecordedResource, Records } from '../values/model.ts'
import type { Instance } from './expand.ts'
import type { PlannedChange } from './work.ts'

/**
 * Sets replaced records aside: those whose address means another thing because the identity was edited, or because
 * `isGiven` says so. Such a record moves to `ADDRESS[replaced KEY]`, which nothing declares, and is released once
 * the new thing exists.
 */
export const displace = (
  instances: readonly Instance[],
  records: Records,
  isGiven: (instance: Instance, record: RecordedResource) => boolean,
) => {
  // Usually no record is replaced, and nothing has to be copied.
  let result: Record<string, RecordedResource> | undefined
  const displaced = new Map<string, string>()
  for (const instance of instances) {
    const { address, definition, identity } = instance
    const record = (result ?? records)[address]
    if (record === undefined || record.standing === true) continue
    // If no id was known before, a declared id names the same thing.
    let isEdited = false
    for (const name in identity)
      isEdited ||= record.identity[name] !== undefined && record.identity[name] !== identity[name]
    if (!isEdited && !isGiven(instance, record)) continue
    const aside = asideAddress(definition, address, record)
    result ??= { ...records }
    delete result[address]
    result[aside] = record
    displaced.set(address, aside)
  }
  return { records: result ?? records, displaced }
}

/** Frees an address for the record of another thing. The record that has it is released later. */
export const stepAside = (
  definition: KindDefinition,
  address: string,
  record: RecordedResource | undefined,
): Effect[] =>
  record === undefined ? [] : [{ op: 'move', from: address, to: asideAddress(definition, address, record) }]

/** The address at which a replaced record waits for its release. */
export const asideAddress = (
  definition: KindDefinition,
  address: string,
  { identity }: RecordedResource,
): string => replacedAddress(address, identity[definition.identity.key] ?? identityKey(definition, identity))

export const withDisplaced = (
  planned: PlannedChange,
  displaced: ReadonlyMap<string, string>,
): PlannedChange => {
  const aside = displaced.get(planned.change.address)
  const { work, change } = planned
  // A blocked change replaces nothing yet.
  if (aside === undefined || change.action === 'blocked') return planned
  if (work.do === 'move' || work.do === 'drop' || work.do === 'release') return planned
  return { ...planned, work: { ...work, displaced: aside } }
}
