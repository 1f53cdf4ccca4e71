import { isNone, pickBy, type KindDefinition, type Values } from '../../core/index.ts'
import { isComplete, writableFields, type RecordedResource, type Records } from '../../engine/index.ts'
import { isGiven, type Plain } from '../codec/plain.ts'
import type { PrivateState } from '../codec/private-state.ts'
import { lostMemory, lostOriginal, originalLost } from '../words/memory.ts'
import { errorAt, warningAt, type Diagnostic } from '../diagnostics.ts'
import { addressOf, fieldValues, identityIn, importedRecord } from './entry.ts'
import { putsBack, wayToPutBack } from './replacement.ts'

/**
 * Where an update gets no answer, as from a provider that has ended, Terraform keeps the attributes of before and
 * nothing beside them: what the attributes tell is what is remembered then, with a doubt about all that was written.
 */
export const remembered = (
  definition: KindDefinition,
  state: Plain | null,
  kept: PrivateState,
  now: number,
): PrivateState =>
  state !== null && isLost(definition, state, kept)
    ? { records: recordsInDoubt(definition, state, new Date(now).toISOString()), lost: true }
    : kept

/** Earlier versions wrote down at the next reading that nothing was remembered. */
const isLost = (
  definition: KindDefinition,
  { values }: Plain,
  { none, lost, importedAt, records }: PrivateState,
): boolean =>
  none === true ||
  (importedAt === undefined &&
    definition.observe.how !== 'everything' &&
    Object.keys(records).length === 0 &&
    (lost === true || isComplete(definition, identityIn(definition, values))))

/** What is read needs no record: what is live decides. */
const recordsInDoubt = (definition: KindDefinition, { values }: Plain, at: string): Records => {
  if (definition.observe.how === 'everything') return {}
  const record: RecordedResource = {
    ...importedRecord(definition, values, at),
    applied: withoutEnd(definition, fieldValues(definition, values)),
  }
  // Nothing can have been written to what has no id.
  const unsure = isComplete(definition, record.identity) ? { unsure: writableFields(definition) } : {}
  return { [addressOf(definition)]: { ...record, ...unsure } }
}

/** The update may have moved its end: what should be over may go on. */
const withoutEnd = ({ lifetime }: KindDefinition, values: Values): Values =>
  isNone(lifetime) ? values : pickBy(values, (_, name) => name !== lifetime.endsAt)

/** The attributes that a reading leaves without a value, so that a plan asserts what is configured. */
export const attributesInDoubt = (
  { lost }: PrivateState,
  state: Plain,
  { unsure = [] }: RecordedResource,
): readonly string[] => (lost === true ? unsure.filter((name) => isGiven(state, name)) : [])

/** What is left to do about a memory that is lost, or what cannot be done without it. */
export const lostIn = (
  definition: KindDefinition,
  state: Plain,
  { lost, records }: PrivateState,
): Diagnostic[] => {
  if (lost !== true) return []
  if (Object.values(records).some(({ unsure }) => unsure !== undefined))
    return [warningAt(undefined, lostMemory(definition, state.values))]
  const way = wayToPutBack(definition, state)
  return way === undefined ? [] : [warningAt(undefined, lostOriginal(definition, state.values, way))]
}

/** A destroy that would have to put back what nobody remembers. */
export const refusedAsLost = (
  definition: KindDefinition,
  prior: Plain | null,
  { lost }: PrivateState,
): Diagnostic[] => {
  const way = lost === true && prior !== null ? wayToPutBack(definition, prior) : undefined
  return way === undefined || prior === null
    ? []
    : [errorAt(undefined, originalLost(definition, prior.values, way))]
}

/** What an apply leaves lost: a write brings back what is there, and never what was there before it was adopted. */
export const stillLost = (
  { release }: KindDefinition,
  { lost }: PrivateState,
  isFailed: boolean,
): Pick<PrivateState, 'lost'> =>
  lost === true && (isFailed || Object.values(release).some(putsBack)) ? { lost } : {}
