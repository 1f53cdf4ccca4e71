import { parseInstant } from '../../core/instant.ts'
import type { Instance } from '../values/instance.ts'
import type { RecordedResource, Records } from '../values/model.ts'
import type { Move } from './moved.ts'
import { hasEnded } from '../values/lifetime.ts'

/** Whether an instance may no longer be created, because its start has passed. */
export const isTooLate = ({ createBefore }: Pick<Instance, 'createBefore'>, now: Date): boolean =>
  createBefore !== undefined && parseInstant(createBefore) <= now.getTime()

/** The instances that should exist, and the records that they take over. */
export interface InstancesAndMoves {
  readonly instances: readonly Instance[]
  readonly moves: readonly Move[]
}

/**
 * Leaves out instances that are too late to be created and do not exist: there is no record, or it means another
 * thing or one that is over.
 */
export const withoutTooLate = (
  { instances, moves }: InstancesAndMoves,
  records: Records,
  now: Date,
): InstancesAndMoves => {
  if (instances.every((instance) => !isTooLate(instance, now))) return { instances, moves }
  const movedTo = new Map(moves.map(({ from, to }) => [to, from]))
  const kept = instances.filter(
    (instance) =>
      !isTooLate(instance, now) ||
      isThere(instance, records[movedTo.get(instance.address) ?? instance.address], now),
  )
  const addresses = new Set(kept.map(({ address }) => address))
  return { instances: kept, moves: moves.filter(({ to }) => addresses.has(to)) }
}

const isThere = (instance: Instance, record: RecordedResource | undefined, now: Date): boolean =>
  record !== undefined &&
  Object.entries(instance.identity).every(([name, value]) => record.identity[name] === value) &&
  !hasEnded(instance.definition, record.applied, now)
