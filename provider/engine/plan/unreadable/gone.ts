import { isNone } from '../../../core/operation.ts'
import { lacking, reason, type Reason } from '../../reason.ts'
import type { Instance } from '../../values/instance.ts'
import type { Change, Evidence } from '../../values/model.ts'
import { blocked, changeOf, keyNote, UNKNOWN } from '../change.ts'
import type { PlannedChange } from '../work.ts'

/** The thing should exist, but an answer said that it does not. */
export const notFound = (
  instance: Instance,
  details?: Pick<Change, 'before' | 'evidence'>,
): PlannedChange => {
  const { create } = instance.definition.establish
  if (!isNone(create)) return blocked(instance, reason('not-found', {}), details)
  const because = reason('not-found', lacking(create, instance.identity))
  return blocked(instance, because, { ...details, ...keyNote(instance) })
}

/** The thing has ended by itself: nothing is left to do. */
export const expired = (
  instance: Instance,
  because: Reason,
  evidence: Evidence = UNKNOWN,
): PlannedChange => ({
  change: changeOf(instance, { action: 'expired', reason: because, evidence }),
  work: { do: 'keep' },
})
