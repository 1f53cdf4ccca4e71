import { belongsToOne, isReplaced } from '../values/address.ts'
import { identityKey } from '../values/identity.ts'
import type { Records } from '../values/model.ts'
import type { Expected } from './expected.ts'
import { claimOf, holdersOf, undeclaredRecords } from './holders.ts'
import type { PlanInput } from './input.ts'
import { planUndeclared } from './undeclared.ts'
import type { PlannedChange } from './work.ts'

/** Plans what becomes of all that is recorded and that nothing declares any more. */
export const planAllUndeclared = (
  input: PlanInput,
  { instances, elsewhere }: Expected,
  records: Records,
): PlannedChange[] => {
  const { definitions, declaration, others = [] } = input
  const left = undeclaredRecords(instances, records, definitions)
  if (left.length === 0) return []
  const isElsewhere = belongsToOne([
    ...others.map(({ address }) => address),
    // A place that seems gone may be there again: what is recorded of it stays until someone takes the entry out.
    ...instances.filter(({ unmatched }) => unmatched === 'no-place').map(({ address }) => address),
  ])
  const declared = declaration.entries.map(({ address }) => address)
  const [names, isOfEntry] = [new Set(declared), belongsToOne(declared)]
  // By its record too: what is recorded twice, as by a merge of states, is that of the address at which it is declared.
  const claims = new Map<string | undefined, string>([
    ...holdersOf(instances, records),
    ...instances.map((instance) => [claimOf(instance), instance.address] as const),
  ])
  return left.flatMap(({ address, record, definition }) => {
    const key = identityKey(definition, record.identity)
    // What is recorded of it goes to the entry that stands for it now, once that is planned.
    if (isElsewhere(address) || elsewhere.has(key)) return []
    const claimedAt = claims.get(key)
    const { dropped } = definition.expand
    // An occurrence that its entry no longer has is released as `dropped` says, and not by the entry's `onRemove`.
    const isDropped = isOfEntry(address) && !names.has(address) && !isReplaced(address)
    const own = dropped !== undefined && isDropped ? { ...record, onRemove: dropped } : record
    return [planUndeclared(definition, address, own, input, { claimedAt, ofEntry: isDropped })]
  })
}
