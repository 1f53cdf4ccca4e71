import type { KindDefinition } from '../../core/definition.ts'
import { parseInstant } from '../../core/instant.ts'
import type { Values } from '../../core/values.ts'
import { entryOf } from '../values/address.ts'
import type { Instance } from './expand.ts'
import type { Entry, RecordedResource, Records } from '../values/model.ts'
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
  !hasEnded(instance, record.applied, now)

/** For each entry, the applied values of what it stood for before, and of records that no entry stands for any more. */
export const recordedBy = (
  entries: readonly Entry[],
  elsewhere: readonly string[],
  records: Records,
): ((definition: KindDefinition, entry: Entry) => readonly Values[]) => {
  // Few kinds ask for this, so most plans need not search the records.
  const byKind = new Map<string, ReadonlyMap<string, readonly Values[]>>()
  const appliedOf = (kind: string): ReadonlyMap<string, readonly Values[]> => {
    const known = byKind.get(kind)
    if (known !== undefined) return known
    const names = new Set([...entries.map(({ address }) => address), ...elsewhere].map(entryOf))
    const applied = new Map<string, Values[]>()
    for (const [address, record] of Object.entries(records)) {
      if (record.kind !== kind) continue
      const name = entryOf(address)
      const of = names.has(name) ? name : NO_ENTRY
      const same = applied.get(of)
      if (same === undefined) applied.set(of, [record.applied])
      else same.push(record.applied)
    }
    byKind.set(kind, applied)
    return applied
  }
  return ({ kind }, { address }) => {
    const applied = appliedOf(kind)
    const [own = [], others = []] = [applied.get(entryOf(address)), applied.get(NO_ENTRY)]
    return others.length === 0 ? own : [...own, ...others]
  }
}

/** No address is empty, so this key is free. */
const NO_ENTRY = ''
