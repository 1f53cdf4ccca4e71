import type { KindDefinition } from '../../core/definition.ts'
import type { Identity, Values } from '../../core/values.ts'
import type { Observations } from '../read/observe.ts'
import { declaredIdentity, identityKey, isComplete, scopeKey } from '../values/identity.ts'
import type { Entry, RecordedResource } from '../values/model.ts'
import { isInForce } from '../values/sort.ts'
import { standsFor } from '../plan/expand.ts'

interface ClaimsInput {
  readonly entries: readonly Entry[]
  /** Includes the records of other states. */
  readonly records: readonly RecordedResource[]
  readonly observed: Observations
  readonly now: Date
}

/**
 * Tells which listed things of a kind are claimed: by a record, an id or a selector, or because an entry in force
 * covers their whole place and decides which things may exist there.
 */
export const claimsOn = (
  definition: KindDefinition,
  { entries, records, ...seen }: ClaimsInput,
): ((identity: Identity) => boolean) => {
  const things = new Set<string>()
  const places = new Set<string>()
  const claim = (values: Values, scope: Identity): void => {
    for (const each of standsFor(definition, values, scope, seen))
      if (each.is === 'in-force') places.add(scopeKey(definition, scope))
      else if (each.is === 'instance') things.add(identityKey(definition, { ...scope, ...each.identity }))
  }
  for (const { kind, values } of entries)
    if (kind === definition.kind) claim(values, declaredIdentity(definition, values))
  for (const record of records) {
    const { kind, identity, applied } = record
    if (kind !== definition.kind) continue
    if (isInForce(record)) claim(applied, identity)
    else if (isComplete(definition, identity)) things.add(identityKey(definition, identity))
  }
  return (identity) =>
    things.has(identityKey(definition, identity)) || places.has(scopeKey(definition, identity))
}
