import { isNone, type KindDefinition } from '../../core/index.ts'
import { scopeKey } from '../../engine/index.ts'
import { isKnown } from '../codec/plain.ts'
import type { Deed } from '../connection/turns.ts'
import { objectOf, type ResourceChange } from './change.ts'
import { identityIn, onRemoveIn } from './entry.ts'
import { mapIn, membersOf } from './members.ts'

/** What an apply may do to a thing that another resource stands for in the same apply. */
export const deedOf = (definition: KindDefinition, change: ResourceChange): Deed => {
  const object = objectOf(change)
  return {
    place: scopeKey(definition, identityIn(definition, object.values)),
    gives:
      definition.release[onRemoveIn(definition, object.values)]?.way === 'send' &&
      leavesAny(definition, change),
    // What only a creation makes is no other resource's.
    takes: change.planned !== null && !isNone(definition.establish.adopt),
  }
}

/** Whether it gives up a thing: all of them, or those that its selector may no longer match. */
const leavesAny = (definition: KindDefinition, { prior, planned }: ResourceChange): boolean => {
  if (prior === null) return false
  if (planned === null) return true
  const members = membersOf(definition, prior)
  if (members === undefined) return false
  const after = mapIn(members, planned)
  return (
    !isKnown(planned, members.map) ||
    Object.keys(mapIn(members, prior)).some((key) => !Object.hasOwn(after, key))
  )
}
