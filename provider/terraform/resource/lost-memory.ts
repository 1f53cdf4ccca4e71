import { isNone, isReadable, pickBy, type KindDefinition, type Values } from '../../core/index.ts'
import { isComplete, writableFields, type RecordedResource, type Records } from '../../engine/index.ts'
import { isGiven, type Plain } from '../codec/plain.ts'
import { isLost, recordsIn, type PrivateMemory, type PrivateState } from '../codec/private-state.ts'
import { lostMemory, lostOriginal, originalLost } from '../words/memory.ts'
import { errorAt, warningAt, type Diagnostic } from '../diagnostics.ts'
import { addressOf, identityIn, recordFrom } from './entry.ts'
import { putsBack, wayToPutBack } from './replacement.ts'

/**
 * If an update gets no answer, for example because the provider has ended, Terraform keeps the earlier attributes and
 * no private state. Then the attributes become the memory, with a doubt about everything that was written.
 */
export const remembered = (
  definition: KindDefinition,
  state: Plain,
  kept: PrivateState,
  now: number,
): PrivateMemory =>
  kept.is === 'none' || isLostWith(definition, state, kept)
    ? {
        is: 'remembered',
        records: recordsInDoubt(definition, state, new Date(now).toISOString()),
        lost: true,
      }
    : kept

/** Earlier versions wrote down at the next read that nothing was remembered. */
const isLostWith = (definition: KindDefinition, { values }: Plain, kept: PrivateMemory): boolean =>
  kept.is === 'remembered' &&
  !isReadable(definition) &&
  Object.keys(kept.records).length === 0 &&
  (kept.lost === true || isComplete(definition, identityIn(definition, values)))

/** A thing that is read needs no record: its live values decide. */
const recordsInDoubt = (definition: KindDefinition, { values }: Plain, at: string): Records => {
  if (isReadable(definition)) return {}
  const record = recordFrom(definition, withoutEnd(definition, values), at)
  // Nothing can have been written to a thing without an id.
  const unsure = isComplete(definition, record.identity) ? { unsure: writableFields(definition) } : {}
  return { [addressOf(definition)]: { ...record, ...unsure } }
}

/** The update may have moved its end: a thing that should be over may go on. */
const withoutEnd = ({ lifetime }: KindDefinition, values: Values): Values =>
  isNone(lifetime) ? values : pickBy(values, (_, name) => name !== lifetime.endsAt)

/** Attributes that a read leaves without a value, so that a plan asserts what is configured. */
export const attributesInDoubt = (
  kept: PrivateState,
  state: Plain,
  { unsure = [] }: RecordedResource,
): readonly string[] => (isLost(kept) ? unsure.filter((name) => isGiven(state, name)) : [])

/** What is left to do about a lost memory, or what cannot be done without it. */
export const lostIn = (definition: KindDefinition, state: Plain, kept: PrivateState): Diagnostic[] => {
  if (!isLost(kept)) return []
  if (Object.values(recordsIn(kept)).some(({ unsure }) => unsure !== undefined))
    return [warningAt(undefined, lostMemory(definition, state.values))]
  const way = wayToPutBack(definition, state)
  return way === undefined ? [] : [warningAt(undefined, lostOriginal(definition, state.values, way))]
}

/** Refuses a destroy that would have to put back what nobody remembers. */
export const refusedAsLost = (
  definition: KindDefinition,
  prior: Plain | null,
  kept: PrivateState,
): Diagnostic[] => {
  const way = isLost(kept) && prior !== null ? wayToPutBack(definition, prior) : undefined
  return way === undefined || prior === null
    ? []
    : [errorAt(undefined, originalLost(definition, prior.values, way))]
}

/**
 * Whether the memory is still lost after an apply: a write restores current values, but never those from before an
 * adoption.
 */
export const stillLost = (
  { release }: KindDefinition,
  kept: PrivateState,
  isFailed: boolean,
): { readonly lost?: true } =>
  isLost(kept) && (isFailed || Object.values(release).some(putsBack)) ? { lost: true } : {}
