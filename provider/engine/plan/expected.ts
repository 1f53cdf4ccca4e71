import { definitionOf, isReadable, type KindDefinition } from '../../core/definition.ts'
import type { Values } from '../../core/values.ts'
import { standingOf } from '../judge/standing.ts'
import { belongsToOne, entryOf } from '../values/address.ts'
import { declaredIdentity, identityKey } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import { hasEnded } from '../values/lifetime.ts'
import type { Entry, RecordedResource, Records } from '../values/model.ts'
import { expand } from './expand.ts'
import { claimOf } from './holders.ts'
import type { PlanInput } from './input.ts'
import { meaningAnother } from './meaning-another.ts'
import { findMoves } from './moved.ts'
import { mayGoOn, mayGoOnBeside } from './renewed.ts'
import { withoutTooLate, type InstancesAndMoves } from './too-late.ts'
import { isListed } from '../read/observe.ts'

export interface Expected extends InstancesAndMoves {
  /** Identity keys of the things that entries outside the target stand for. */
  readonly elsewhere: ReadonlySet<string | undefined>
}

/** The instances that should exist, and the records that they take over. */
export const expectedOf = (input: PlanInput): Expected => {
  const { definitions, declaration, records, observed, now, others = [] } = input
  const elsewhere = others.map(({ address }) => address)
  const recorded = recordedBy(declaration.entries, elsewhere, records)
  const claiming = others.filter((entry) => canClaim(entry, input))
  const all = expand(definitions, [...declaration.entries, ...claiming], { observed, now, recorded })
  const foreign = new Set(claiming)
  const instances = all.filter(({ entry }) => !foreign.has(entry))
  const claimed = new Set(all.filter(({ entry }) => foreign.has(entry)).map(claimOf))
  const isOfOther = belongsToOne(elsewhere)
  const isTaken = takenFrom(definitions, instances, claimed)
  const isAnother = meaningAnother(definitions, others)
  const isElsewhere = (address: string, record: RecordedResource): boolean =>
    isOfOther(address) && !isTaken(address, record) && !isAnother(address, record)
  const isOver = (instance: Instance, record: RecordedResource): boolean =>
    hasEnded(instance.definition, record.applied, now) &&
    !mayGoOn(standingOf(instance.definition, record, input))
  const stepsAside = (instance: Instance, record: RecordedResource): boolean =>
    mayGoOnBeside(instance, record, input)
  const moves = findMoves(instances, { records, isOver, stepsAside, isElsewhere })
  return { ...withoutTooLate({ instances, moves }, records, now), elsewhere: claimed }
}

/**
 * Tells whether a thing recorded for an entry outside the target now belongs to another entry. If it were recorded
 * twice, writing one of the two would make the other look changed from outside.
 */
const takenFrom = (
  definitions: readonly KindDefinition[],
  instances: readonly Instance[],
  elsewhere: ReadonlySet<string | undefined>,
): ((address: string, record: RecordedResource) => boolean) => {
  let known: ReadonlySet<string | undefined> | undefined
  return (address, { kind, identity }) => {
    // Built lazily: only records of entries outside the target ask for it.
    const claims = (known ??= new Set(instances.map(claimOf)))
    const definition = definitionOf(definitions, kind)
    if (definition === undefined || !isReadable(definition) || address === entryOf(address)) return false
    const key = identityKey(definition, identity)
    return claims.has(key) && !elsewhere.has(key)
  }
}

/** Whether an entry outside the target still claims things: by an id, or by a list that was read whole. */
const canClaim = (entry: Entry, { definitions, observed }: PlanInput): boolean => {
  const definition = definitionOf(definitions, entry.kind)
  if (definition === undefined || !isReadable(definition)) return false
  return (
    definition.expand.reads(entry.values) === 'one' ||
    isListed(observed, definition, declaredIdentity(definition, entry.values))
  )
}

/** For each entry, the applied values of what it stood for before, and of records that no entry stands for any more. */
const recordedBy = (
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
