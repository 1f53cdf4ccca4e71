import { reason, type Reason } from '../reason.ts'
import { entryOf } from '../values/address.ts'
import { isComplete } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import { likenessByValues } from '../values/likeness.ts'
import type { Action } from '../values/model.ts'
import type { PlannedChange } from './work.ts'

/**
 * Creations beside adoptions that declare the same by an id. After a state was lost, both are often one thing, which
 * would then be there twice.
 */
export const twinsIn = (planned: readonly PlannedChange[], instances: readonly Instance[]): Reason[] => {
  const has = (action: Action): ((each: Instance) => boolean) => {
    const addresses = new Set(
      planned.flatMap(({ change }) => (change.action === action ? [change.address] : [])),
    )
    return ({ address }) => addresses.has(address)
  }
  const named = instances.filter(has('adopt')).filter((each) => isComplete(each.definition, each.identity))
  if (named.length === 0) return []
  const byLikeness = Map.groupBy(named, likenessOf)
  const found = instances.filter(has('create')).flatMap((each) => {
    const likeness = likenessOf(each)
    const twins = likeness === undefined ? [] : (byLikeness.get(likeness) ?? [])
    return twins.map(({ address }) => ({ address: entryOf(each.address), twin: address }))
  })
  return [...Map.groupBy(found, ({ address }) => address)].map(([address, own]) =>
    reason('created-beside-named', { address, twins: own.map(({ twin }) => twin) }),
  )
}

/** What is left to others later is still created as declared, and so it counts. */
const likenessOf = (instance: Instance): string | undefined =>
  likenessByValues(instance, instance.definition.identity.recognisedBy, instance.desired)
