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

/** What Terraform passes to change one resource. */
export interface ResourceChange {
  readonly prior: Plain | null
  readonly planned: Plain | null
  readonly config: Plain | null
  readonly kept: PrivateState
}

/** The resource as planned, or as it was if it is to be destroyed. */
export const objectOf = ({ prior, planned }: ResourceChange): Plain => planned ?? prior ?? known({})

/** What only the configuration has for a write: the flags that allow it, and the secrets that it sends. */
export const consentOf = (change: ResourceChange): Pick<WriteContext, 'allowed' | 'secret'> => ({
  allowed: allowedIn(objectOf(change)),
  secret: (_, path) => Promise.resolve(secretIn(change.config, path)),
})

/** The input of a plan for one resource, both for a preview and for an apply. */
export const runInput = (
  definition: KindDefinition,
  change: ResourceChange,
  { orgIds, client }: Configured,
): RunInput => {
  const { prior, planned, config } = change
  const records = recordsFor(definition, change, new Date(client.serviceNow()))
  const entries = planned === null ? [] : [declaredBy(definition, planned, config)]
  const target = planned === null ? undefined : targetsOf(definition, prior, planned, records)
  return {
    definitions: [definition],
    declaration: declarationOf(entries, orgIds),
    records,
    look: 'for-plan',
    withRaw: true,
    // A thing that was missing may be back.
    allParts: prior?.values['present'] === false,
    target,
  }
}

/**
 * Values that the service keeps and that are no longer configured are not sent, and stay recorded: they count again
 * once they are configured.
 */
const declaredBy = (definition: KindDefinition, planned: Plain, config: Plain | null): Entry => ({
  ...entryOf(definition, planned, secretMarks(definition, config)),
  ignoreChanges: keptIn(definition, planned, config),
})

/** Names of fields that are set, are no longer configured, and stay at the service. */
export const keptIn = ({ fields }: KindDefinition, object: Plain, config: Plain | null): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const isConfigured = config !== null && isGiven(config, name)
    return isKept(field) && isGiven(object, name) && !isConfigured ? [name] : []
  })

/** An imported thing has no record yet; if it can be adopted, the write itself takes it over. */
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

/** Only another answer can show whether a leftover is gone by now, so the field is written again. */
const withDoubt = (record: RecordedResource): RecordedResource =>
  record.leftover === undefined
    ? record
    : { ...record, unsure: [...new Set([...(record.unsure ?? []), ...Object.keys(record.leftover)])] }
