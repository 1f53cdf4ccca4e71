import { reason, type Reason } from '../reason.ts'
import { entryOf } from '../values/address.ts'
import { isComplete } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import { likenessByValues } from './moved.ts'
import type { PlannedChange } from './work.ts'

/**
 * Creations beside adoptions that declare the same by an id. After a state was lost, both are often one thing, which
 * would then be there twice.
 */
export const twinsIn = (planned: readonly PlannedChange[], instances: readonly Instance[]): Reason[] => {
  const byAction = new Map(planned.map(({ change: { address, action } }) => [address, action]))
  const named = instances.filter(
    (each) => byAction.get(each.address) === 'adopt' && isComplete(each.definition, each.identity),
  )
  if (named.length === 0) return []
  const byLikeness = Map.groupBy(named, likenessByValues)
  const found = instances.flatMap((each) => {
    if (byAction.get(each.address) !== 'create') return []
    const likeness = likenessByValues(each)
    const twins = likeness === undefined ? [] : (byLikeness.get(likeness) ?? [])
    return twins.map(({ address }) => ({ address: entryOf(each.address), twin: address }))
  })
  return [...Map.groupBy(found, ({ address }) => address)].map(([address, own]) =>
    reason('created-beside-named', { address, twins: own.map(({ twin }) => twin) }),
  )
}
