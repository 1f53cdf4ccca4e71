import type { KindDefinition } from '../../core/definition.ts'
import { belongsToOne, entryOf, isReplaced, parseAddress } from '../values/address.ts'
import { identityKey } from '../values/identity.ts'
import type { RecordedResource, Records } from '../values/model.ts'
import type { Expected } from './expected.ts'
import { claimOf, holdersOf, undeclaredRecords } from './holders.ts'
import type { PlanInput } from './input.ts'
import { planUndeclared } from './undeclared.ts'
import type { PlannedChange } from './work.ts'

/** Plans what happens to every record that nothing declares any more. */
export const planAllUndeclared = (
  input: PlanInput,
  { instances, elsewhere }: Expected,
  records: Records,
): PlannedChange[] => {
  const { definitions, declaration, others = [], target } = input
  const left = undeclaredRecords(instances, records, definitions)
  if (left.length === 0) return []
  const isElsewhere = belongsToOne([
    ...others.map(({ address }) => address),
    // A place that seems gone may come back, so its records stay until someone takes the entry out.
    ...instances.filter(({ unmatched }) => unmatched === 'no-place').map(({ address }) => address),
  ])
  const declared = declaration.entries.map(({ address }) => address)
  const entries = new Set(declared.map(entryOf))
  const [names, isOfEntry] = [new Set(declared), belongsToOne(declared)]
  // Records count too: a thing that is recorded twice, for example after states were merged, belongs to the address
  // that declares it.
  const claims = new Map<string | undefined, string>([
    ...holdersOf(instances, records),
    ...instances.map((instance) => [claimOf(instance), instance.address] as const),
  ])
  return left.flatMap(({ address, record, definition }) => {
    const key = identityKey(definition, record.identity)
    // An entry outside the target stands for this thing now. It takes the record over when it is planned.
    if (isElsewhere(address) || elsewhere.has(key)) return []
    const claimedAt = claims.get(key)
    if (claimedAt !== undefined && target?.includes(claimedAt) === false) return []
    const ofEntry = entries.has(entryOf(address))
    const { dropped } = definition.expand
    const isDeclaredThere = isOfEntry(address) && !names.has(address) && !isReplaced(address)
    // An occurrence that its schedule no longer has is released by the kind's `dropped` way, not by the entry's
    // `onRemove`. What the entry stood for in one of several projects is no occurrence.
    const isDropped = isDeclaredThere && !isWholeIn(definition, record, address)
    const isOverruled = isDropped && dropped !== undefined && dropped !== record.onRemove
    const recorded = isOverruled ? { ...record, onRemove: dropped } : record
    return [
      planUndeclared(
        { definition, address, recorded, claimedAt, ofEntry, isDeclaredThere, isOverruled },
        input,
      ),
    ]
  })
}

/** Whether the address is that of a whole entry in one of several projects. */
const isWholeIn = (
  { identity: { scope } }: KindDefinition,
  { identity }: RecordedResource,
  address: string,
): boolean => scope.some((name) => identity[name] === parseAddress(address).keys.at(-1))
