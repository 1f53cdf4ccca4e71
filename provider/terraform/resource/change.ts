import { isKept, mapValues, type KindDefinition } from '../../core/index.ts'
import {
  writableFields,
  type Entry,
  type RecordedResource,
  type Records,
  type RunInput,
  type WriteContext,
} from '../../engine/index.ts'
import { isGiven, known, type Plain } from '../codec/plain.ts'
import { recordsIn, type PrivateState } from '../codec/private-state.ts'
import type { Configured } from '../connection/connection.ts'
import {
  addressOf,
  canAdopt,
  declarationOf,
  entryOf,
  importedRecord,
  secretIn,
  secretMarks,
} from './entry.ts'
import { targetsOf } from './members.ts'
import { allowedIn } from './refusals.ts'
import { isForgotten, recordsFromState } from './replacement.ts'

/** What Terraform hands over to change one resource. */
export interface ResourceChange {
  readonly prior: Plain | null
  readonly planned: Plain | null
  readonly config: Plain | null
  readonly kept: PrivateState
}

/** The resource as it is planned, or as it was where it is to go. */
export const objectOf = ({ prior, planned }: ResourceChange): Plain => planned ?? prior ?? known({})

/** What the configuration alone has for a write: the flags that allow it, and the secrets that it sends. */
export const consentOf = (change: ResourceChange): Pick<WriteContext, 'allowed' | 'secret'> => ({
  allowed: allowedIn(objectOf(change)),
  secret: (_, path) => Promise.resolve(secretIn(change.config, path)),
})

/** What one resource is planned from, whether it is looked ahead or carried out. */
export const runInput = (
  definition: KindDefinition,
  change: ResourceChange,
  { orgIds, client }: Configured,
): RunInput => {
  const { prior, planned, config } = change
  const entries = planned === null ? [] : [declaredBy(definition, planned, config)]
  const records = recordsFor(definition, change, new Date(client.serviceNow()))
  const target = planned === null ? undefined : targetsOf(definition, prior, planned, records)
  return {
    definitions: [definition],
    declaration: declarationOf(entries, orgIds),
    records,
    look: 'for-plan',
    // What was not there may be back.
    allParts: prior?.values['present'] === false,
    ...(target === undefined ? {} : { target }),
  }
}

/** What stands and is no longer configured is not sent, and stays recorded: it counts again once it is configured. */
const declaredBy = (definition: KindDefinition, planned: Plain, config: Plain | null): Entry => ({
  ...entryOf(definition, planned, secretMarks(definition, config)),
  ignoreChanges: keptIn(definition, planned, config),
})

/** Names of what stands, is no longer configured, and stays at the service. */
export const keptIn = ({ fields }: KindDefinition, object: Plain, config: Plain | null): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const isConfigured = config !== null && isGiven(config, name)
    return isKept(field) && isGiven(object, name) && !isConfigured ? [name] : []
  })

/** A thing that was imported has no record yet; what can be adopted is taken over by the write itself. */
const recordsFor = (
  definition: KindDefinition,
  { prior, planned, kept }: ResourceChange,
  now: Date,
): Records => {
  if (prior !== null && isForgotten(planned, kept)) return recordsFromState(definition, prior, now)
  if (prior === null || kept.is !== 'imported') return mapValues(recordsIn(kept), withDoubt)
  if (canAdopt(definition)) return {}
  // Nothing of it is known: it may even be over, which the service then says.
  const record = importedRecord(definition, prior.values, kept.importedAt)
  return { [addressOf(definition)]: { ...record, unsure: writableFields(definition) } }
}

/** Only another answer can tell whether what stayed after its removal is gone by now, so it is asked for again. */
const withDoubt = (record: RecordedResource): RecordedResource =>
  record.leftover === undefined
    ? record
    : { ...record, unsure: [...new Set([...(record.unsure ?? []), ...Object.keys(record.leftover)])] }
