import { reason, type Reason } from '../reason.ts'
import type { PlanInput } from './input.ts'
import type { PlannedChange } from './work.ts'

/**
 * What the calling key did to the planned things, and no recorded write explains. Without this, a report would accuse
 * a key and not say that it is the reader's own.
 */
export const ownKeyElsewhere = (
  planned: readonly PlannedChange[],
  { ownKey }: Pick<PlanInput, 'ownKey'>,
): Reason[] => {
  const events = planned.flatMap(({ change: { evidence } }) => evidence.events ?? [])
  const own = events.filter(({ publicKey, mayBeOwn }) => publicKey === ownKey && mayBeOwn !== true)
  // One act can be about several things.
  const count = new Set(own.map(({ id }) => id)).size
  return count === 0 ? [] : [reason('own-key-elsewhere', { key: ownKey, count })]
}
