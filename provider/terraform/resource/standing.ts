import { isReadable, mapValues, pick, type KindDefinition, type Values } from '../../core/index.ts'
import {
  standingOf,
  writableFields,
  type RecordedResource,
  type Records,
  type Run,
  type Standing,
} from '../../engine/index.ts'
import type { Plain } from '../codec/plain.ts'
import { recordFrom } from './entry.ts'
import { mapIn, membersOf } from './members.ts'

/** The standing of a resource by its record, or by its attributes alone if it was not written yet. */
export const standingIn = (
  definition: KindDefinition,
  { values }: Plain,
  record: RecordedResource | undefined,
  run: Run,
): Standing => standingOf(definition, record ?? recordFrom(definition, values, run.now.toISOString()), run)

/**
 * What the state had was seen last: it may have taken on a value from somebody else, which was not written by us, and
 * who changes it back must be named all the same.
 */
export const asInState = (definition: KindDefinition, state: Plain, records: Records): Records =>
  isReadable(definition)
    ? mapValues(records, (record) => {
        const seen = seenIn(definition, state, record)
        return Object.keys(seen).length === 0 ? record : { ...record, answer: { ...record.answer, ...seen } }
      })
    : records

const seenIn = (definition: KindDefinition, state: Plain, { identity }: RecordedResource): Values => {
  const members = membersOf(definition, state)
  const value = members && mapIn(members, state)[identity[definition.identity.key] ?? '']
  const values = members === undefined ? state.values : { [members.field]: value ?? undefined }
  return pick(
    values,
    writableFields(definition).filter((name) => values[name] !== undefined),
  )
}
