import { isDeepStrictEqual } from 'node:util'
import type { KindDefinition } from '../../core/definition.ts'
import type { Identity } from '../../core/values.ts'
import type { JudgeContext } from '../judge/standing.ts'
import { asArray } from '../values/compare.ts'
import { scopeKey } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import type { RecordedResource } from '../values/model.ts'
import { reason } from '../reason.ts'
import { newRecord } from '../values/record.ts'
import { changeOf, READ } from './change.ts'
import { standsFor, type StandsForInput } from './expand.ts'
import type { PlannedChange } from './work.ts'

/**
 * Records the entry itself, so that what later appears against it is known to be a change. What was there before, and
 * is not deleted yet, is recorded with it: nobody has put it there against the entry.
 */
export const planInForce = (
  instance: Instance,
  record: RecordedResource | undefined,
  context: JudgeContext,
): PlannedChange => {
  const fresh = withLeftover(instance, newRecord(instance, context), record, context)
  const isKept =
    record !== undefined &&
    isDeepStrictEqual(record.applied, fresh.applied) &&
    isDeepStrictEqual(record.leftover, fresh.leftover)
  const change = changeOf(instance, { action: 'unchanged', reason: reason('in-force'), evidence: READ })
  return { change, work: { do: 'keep', ...(isKept ? {} : { put: fresh }) } }
}

/** Adds what the entry does not allow and what was not to go under the entry as it was last recorded. */
const withLeftover = (
  { definition }: Instance,
  fresh: RecordedResource,
  record: RecordedResource | undefined,
  seen: StandsForInput,
): RecordedResource => {
  const { members } = definition.expand
  const isSamePlace =
    record !== undefined && scopeKey(definition, record.identity) === scopeKey(definition, fresh.identity)
  const known = new Set(isSamePlace ? forbiddenBy(definition, record, seen) : [])
  const left = forbiddenBy(definition, fresh, seen).filter((key) => !known.has(key))
  return members === undefined || left.length === 0 ? fresh : { ...fresh, leftover: { [members.by]: left } }
}

/** The keys of what exists against a recorded entry in force, without what was there before it. */
const forbiddenBy = (
  definition: KindDefinition,
  { identity, applied, leftover }: RecordedResource,
  seen: StandsForInput,
): string[] => {
  const left = asArray(leftover?.[definition.expand.members?.by ?? ''])
  return standsFor(definition, applied, identity, seen).flatMap((each) =>
    each.is === 'instance' && each.key !== undefined && !left.includes(each.key) ? [each.key] : [],
  )
}

/** The identities of what has appeared against a recorded entry in force. */
export const appearedAgainst = (
  definition: KindDefinition,
  record: RecordedResource,
  seen: StandsForInput,
): Identity[] =>
  forbiddenBy(definition, record, seen).map((key) => ({
    ...record.identity,
    [definition.identity.key]: key,
  }))
