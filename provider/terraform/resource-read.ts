import { camelToSnake, isNone, textOf, type KindDefinition } from '../core/index.ts'
import {
  actorOf,
  fieldsOf,
  hasEnded,
  identityKey,
  readAndPlan,
  recordedEvidence,
  same,
  type Evidence,
  type RecordedResource,
  type Run,
  type Thing,
} from '../engine/index.ts'
import type { Configured } from './configured.ts'
import { warningAt } from './diagnostics.ts'
import type { PrivateState } from './private-state.ts'
import { addressOf, declarationOf, entryOf, importedRecord, identityIn } from './resource-entry.ts'
import { shownIn } from './resource-shows.ts'
import { toAttribute } from './values.ts'
import type { Diagnostic } from './wire/common-messages.ts'
import type { TerraformValue, TerraformObject } from './wire/value.ts'

export interface ReadResult {
  /** Null says that there is nothing to import. */
  readonly state: TerraformObject | null
  readonly private: PrivateState
  readonly diagnostics: readonly Diagnostic[]
}

/** What is known of a resource now: live where an endpoint shows it, and by events where none does. */
export const readResource = async (
  definition: KindDefinition,
  state: TerraformObject,
  kept: PrivateState,
  { reads, orgIds }: Configured,
): Promise<ReadResult> => {
  const entry = entryOf(definition, state)
  const declaration = declarationOf([entry], orgIds)
  const run = await readAndPlan(reads.reads, {
    definitions: [definition],
    declaration,
    records: kept.records,
    look: 'at-all',
    byLists: true,
  })
  const read = definition.observe.how === 'everything' ? readLive : readRecorded
  const result = read(definition, state, kept, run, reads.reads.publicKey)
  const ended = isNone(definition.lifetime) ? {} : { ended: hasEnded({ definition }, entry.values, run.now) }
  return result.state === null ? result : { ...result, state: { ...result.state, ...ended } }
}

type Reader = (
  definition: KindDefinition,
  state: TerraformObject,
  kept: PrivateState,
  run: Run,
  ownKey: string,
) => ReadResult

const readLive: Reader = (definition, state, kept, run) => {
  const shown = shownIn(definition, state, run)
  if (shown !== undefined)
    return { state: { ...state, ...shown, present: true, evidence: 'read' }, private: kept, diagnostics: [] }
  const identity = identityIn(definition, state)
  const thing = run.observed.things.get(identityKey(definition, identity)) ?? 'missing'
  if (thing === 'missing') return gone(definition, state, kept)
  const live = liveAttributes(definition, state, thing)
  const first =
    kept.importedAt === undefined
      ? kept
      : { records: { [addressOf(definition)]: adoptedRecord(definition, state, thing, kept.importedAt) } }
  return { state: { ...state, ...live, present: true, evidence: 'read' }, private: first, diagnostics: [] }
}

/** A thing that must not exist is as it should be; any other stays in the state, so that the workspace goes on. */
const gone = (definition: KindDefinition, state: TerraformObject, kept: PrivateState): ReadResult => {
  if (kept.importedAt !== undefined) return { state: null, private: kept, diagnostics: [] }
  const { ensures } = definition.expand
  const absent = ensures !== undefined && state[camelToSnake(ensures.field)] === ensures.absent
  const what = `${definition.title} ${textOf(state['id'])}`
  const create = isNone(definition.establish.create) ? definition.establish.create : undefined
  const diagnostics = absent
    ? []
    : [
        warningAt(
          undefined,
          `${what} was not found`,
          [create?.none, create?.byHand].filter((text) => text !== undefined).join(' '),
        ),
      ]
  return { state: { ...state, present: false, evidence: 'read' }, private: kept, diagnostics }
}

/** Live values; one that means what the state says keeps the state's spelling. */
const liveAttributes = (
  definition: KindDefinition,
  state: TerraformObject,
  thing: Thing,
): Record<string, TerraformValue> => {
  const { ensures } = definition.expand
  const writable = isNone(definition.write) ? [] : definition.write.fields
  const live = writable.flatMap((name) => {
    const field = definition.fields[name]
    const value = thing.values[name]
    if (field === undefined || value === undefined) return []
    const attribute = camelToSnake(name)
    const prior = state[attribute] ?? null
    return [
      [attribute, prior !== null && same(field, prior, value) ? prior : toAttribute(field.type, value)],
    ] as const
  })
  return {
    ...Object.fromEntries(live),
    ...(ensures === undefined ? {} : { [camelToSnake(ensures.field)]: ensures.present }),
  }
}

const adoptedRecord = (
  definition: KindDefinition,
  state: TerraformObject,
  { values }: Thing,
  at: string,
): RecordedResource => ({
  ...importedRecord(definition, state, at),
  applied: { ...identityIn(definition, state), ...values },
  answer: values,
  adopted: values,
})

const readRecorded: Reader = (definition, state, kept, run, ownKey) => {
  const record = kept.records[addressOf(definition)]
  const identity = record?.identity ?? identityIn(definition, state)
  const parts = run.observed.parts.get(identityKey(definition, identity))
  const live = parts === undefined || parts === 'missing' ? {} : parts
  const shown = Object.entries(live).flatMap(([name, value]) => {
    const field = definition.fields[name]
    const prior = state[camelToSnake(name)] ?? null
    return field === undefined || same(field, prior, value)
      ? []
      : [[camelToSnake(name), toAttribute(field.type, value)] as const]
  })
  if (record === undefined) {
    const why = 'reason' in definition.observe ? definition.observe.reason : ''
    const warning = warningAt(
      undefined,
      `${definition.title} ${textOf(state['id'])} is known by its id alone`,
      `${why} The next apply writes what is configured.`,
    )
    return {
      state: { ...state, ...Object.fromEntries(shown), evidence: 'unknown' },
      private: kept,
      diagnostics: [warning],
    }
  }
  const evidence = recordedEvidence(definition, record, {
    declaration: run.declaration,
    log: run.log,
    ownKey,
  })
  const warnings = run.log.warnings.map((text) => warningAt(undefined, text))
  const suspect =
    evidence.level === 'suspect' && !hasEnded({ definition }, record.applied, run.now)
      ? suspected(definition, evidence)
      : undefined
  const next = { ...state, ...Object.fromEntries(shown), ...suspect?.nulls, evidence: evidence.level }
  return { state: next, private: kept, diagnostics: [...(suspect?.warnings ?? []), ...warnings] }
}

/** A change of evidence alone would be "No changes" to Terraform; null values make it plan the assertion. */
const suspected = (
  definition: KindDefinition,
  { events = [] }: Evidence,
): { nulls: Record<string, null>; warnings: Diagnostic[] } => {
  const fields = fieldsOf(definition, events)
  const actor = actorOf(definition, events, fields)
  const who = actor?.publicKey === undefined ? actor?.username : `key "${actor.publicKey}"`
  const detail = `Event ${actor?.eventId ?? ''} (${actor?.eventTypeName ?? ''}) by ${who ?? 'someone unknown'} at ${actor?.at ?? ''}. No endpoint shows the values; the next apply asserts what is configured.`
  return {
    nulls: Object.fromEntries(fields.map((name) => [camelToSnake(name), null])),
    warnings: [
      warningAt(
        undefined,
        `${definition.title}: ${fields.map(camelToSnake).join(', ')} changed outside of Terraform`,
        detail,
      ),
    ],
  }
}
