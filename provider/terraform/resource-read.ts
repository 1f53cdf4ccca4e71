import { camelToSnake, isNone, textOf, type KindDefinition } from '../core/index.ts'
import {
  actorOf,
  fieldsOf,
  hasEnded,
  identityKey,
  readAndPlan,
  recordedEvidence,
  same,
  type Actor,
  type Evidence,
  type RecordedResource,
  type Run,
  type Thing,
} from '../engine/index.ts'
import type { Configured } from './configured.ts'
import { warningAt } from './diagnostics.ts'
import type { PrivateState } from './private-state.ts'
import { addressOf, declarationOf, entryOf, importedRecord, identityIn } from './resource-entry.ts'
import { endedAt, saysOtherwise, withLeftover } from './resource-outcome.ts'
import { readSeveral } from './resource-several.ts'
import { toAttribute } from './values.ts'
import type { Diagnostic } from './wire/common-messages.ts'
import type { TerraformValue, TerraformObject } from './wire/value.ts'
import { words } from './words.ts'

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
  if (result.state === null) return result
  const values = kept.records[addressOf(definition)]?.applied ?? entry.values
  return {
    ...result,
    state: { ...result.state, ...endedAt(definition, values, run.now) },
    diagnostics: [...result.diagnostics, ...blockedIn(definition, state, kept, run)],
  }
}

/** What is not as it was, and that no apply can put right: a plan error would stop the whole workspace. */
const blockedIn = (
  definition: KindDefinition,
  state: TerraformObject,
  kept: PrivateState,
  { plan }: Run,
): Diagnostic[] =>
  kept.importedAt === undefined
    ? plan.planned.flatMap(({ change }) =>
        change.action === 'blocked'
          ? [
              warningAt(
                undefined,
                `${nameOf(definition, state)}: ${words.says(change.reason)}`,
                words.step(change.reason),
              ),
            ]
          : [],
      )
    : []

const nameOf = ({ title }: KindDefinition, state: TerraformObject): string =>
  `${title} ${textOf(state['id'])}`

type Reader = (
  definition: KindDefinition,
  state: TerraformObject,
  kept: PrivateState,
  run: Run,
  ownKey: string,
) => ReadResult

const readLive: Reader = (definition, state, kept, run) => {
  const diagnostics = actorsIn(definition, state, run)
  const several = readSeveral(definition, state, kept, run)
  if (several !== undefined) return { ...several, diagnostics }
  const identity = identityIn(definition, state)
  const thing = run.observed.things.get(identityKey(definition, identity)) ?? 'missing'
  if (thing === 'missing')
    return kept.importedAt === undefined
      ? { state: { ...state, present: false, evidence: 'read' }, private: kept, diagnostics }
      : { state: null, private: kept, diagnostics: [] }
  const live = liveAttributes(definition, state, thing)
  const first =
    kept.importedAt === undefined
      ? kept
      : { records: { [addressOf(definition)]: adoptedRecord(definition, state, thing, kept.importedAt) } }
  return { state: { ...state, ...live, present: true, evidence: 'read' }, private: first, diagnostics }
}

/** Who changed what is no longer as it was applied, as far as events tell. */
const actorsIn = (definition: KindDefinition, state: TerraformObject, { plan }: Run): Diagnostic[] =>
  plan.planned.flatMap(({ change: { actor, fields } }) =>
    actor === undefined
      ? []
      : [changedOutside(definition, { state, actor, fields: fields.map(({ path }) => path) })],
  )

const changedOutside = (
  definition: KindDefinition,
  seen: {
    readonly state: TerraformObject
    readonly actor: Actor | undefined
    readonly fields: readonly string[]
  },
  more = '',
): Diagnostic => {
  const { state, actor, fields } = seen
  const who = actor?.publicKey === undefined ? actor?.username : `key "${actor.publicKey}"`
  const event = `Event ${actor?.eventId ?? ''} (${actor?.eventTypeName ?? ''}) by ${who ?? 'someone unknown'} at ${actor?.at ?? ''}.`
  return warningAt(
    undefined,
    `${nameOf(definition, state)}: ${fields.map(camelToSnake).join(', ')} changed outside of Terraform`,
    `${event}${more}`,
  )
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
  const live = Object.entries(parts === undefined || parts === 'missing' ? {} : parts)
  const shown = live.flatMap(([name, value]) => {
    const field = definition.fields[name]
    const prior = state[camelToSnake(name)] ?? null
    return field === undefined || same(field, prior, value)
      ? []
      : [[camelToSnake(name), toAttribute(field.type, value)] as const]
  })
  const told = { ...state, ...Object.fromEntries(shown) }
  if (record === undefined) return readUnknown(definition, told, kept)
  const { declaration, log } = run
  const evidence = recordedEvidence(definition, record, { declaration, log, ownKey })
  const warnings = log.warnings.map((warning) => warningAt(undefined, words.says(warning)))
  const isOver = hasEnded({ definition }, record.applied, run.now)
  const suspect = isOver ? undefined : suspected(definition, state, record, evidence)
  const left = Object.keys(record.leftover ?? {}).map((name): [string, TerraformValue] => [
    camelToSnake(name),
    withLeftover(definition, name, state[camelToSnake(name)] ?? null, record),
  ])
  const level = isOver && saysOtherwise(definition, state, record) ? 'unknown' : evidence.level
  const next = { ...told, ...Object.fromEntries(left), ...suspect?.nulls, evidence: level }
  const { seen: _, ...rest } = kept
  const seen = (evidence.events ?? []).map(({ id }) => id)
  return {
    state: next,
    private: seen.length === 0 ? rest : { ...rest, seen },
    diagnostics: [...(suspect?.warnings ?? []), ...warnings],
  }
}

/** Nothing of it was ever written from here: it was imported, or it was over before it could be created. */
const readUnknown = (definition: KindDefinition, state: TerraformObject, kept: PrivateState): ReadResult => {
  const why = 'reason' in definition.observe ? definition.observe.reason : ''
  const warning = warningAt(
    undefined,
    `${nameOf(definition, state)} is known by its id alone`,
    `${why} The next apply writes what is configured.`,
  )
  return {
    state: { ...state, evidence: 'unknown' },
    private: kept,
    diagnostics: kept.importedAt === undefined ? [] : [warning],
  }
}

/** A change of evidence alone would be "No changes" to Terraform; null values make it plan the assertion. */
const suspected = (
  definition: KindDefinition,
  state: TerraformObject,
  { applied }: RecordedResource,
  { level, events = [] }: Evidence,
): { nulls: Record<string, null>; warnings: Diagnostic[] } | undefined => {
  // What was never declared is neither compared nor asserted.
  const fields = fieldsOf(definition, events).filter((name) => applied[name] !== undefined)
  if (level !== 'suspect' || fields.length === 0) return undefined
  const actor = actorOf(definition, events, fields)
  const more =
    ' No endpoint shows the values, so that the state has none; the next apply asserts what is configured, but for what ignore_changes names.'
  return {
    nulls: Object.fromEntries(fields.map((name) => [camelToSnake(name), null])),
    warnings: [changedOutside(definition, { state, actor, fields }, more)],
  }
}
