import type { KindDefinition } from '../../core/index.ts'
import {
  identityKey,
  readAndPlan,
  same,
  standingOf,
  type RecordedResource,
  type Run,
  type Standing,
  type Thing,
} from '../../engine/index.ts'
import { withValues, type Plain } from '../codec/plain.ts'
import type { PrivateState } from '../codec/private-state.ts'
import type { Configured } from '../connection.ts'
import { said, blockedNow, changedOutside, knownByIdAlone, valuesUnknownNow } from '../words.ts'
import { warningAt, type Diagnostic } from '../diagnostics.ts'
import { addressOf, declarationOf, entryOf, identityIn, importedRecord, writableOf } from './entry.ts'
import { endedAt, saysOtherwise, withLeftover } from './new-state.ts'
import { readMembers } from './read-members.ts'

export interface ReadResult {
  /** Null says that there is nothing to import. */
  readonly state: Plain | null
  readonly private: PrivateState
  readonly diagnostics: readonly Diagnostic[]
}

/** What is known of a resource now: live where an endpoint shows it, and by events where none does. */
export const readResource = async (
  definition: KindDefinition,
  state: Plain,
  kept: PrivateState,
  { reads, orgIds }: Configured,
): Promise<ReadResult> => {
  const entry = entryOf(definition, state)
  const run = await readAndPlan(reads.reads, {
    definitions: [definition],
    declaration: declarationOf([entry], orgIds),
    records: kept.records,
    look: 'at-all',
    byLists: true,
  })
  const read = definition.observe.how === 'everything' ? readLive : readRecorded
  const result = read(definition, state, kept, run)
  if (result.state === null) return result
  const values = kept.records[addressOf(definition)]?.applied ?? entry.values
  return {
    ...result,
    state: withValues(result.state, endedAt(definition, values, run.now)),
    diagnostics: [...result.diagnostics, ...blockedIn(definition, state, kept, run)],
  }
}

/** What is not as it was, and that no apply can put right: a plan error would stop the whole workspace. */
const blockedIn = (
  definition: KindDefinition,
  { values }: Plain,
  kept: PrivateState,
  { plan }: Run,
): Diagnostic[] =>
  kept.importedAt === undefined
    ? plan.planned
        .filter(({ change }) => change.action === 'blocked')
        .map(({ change }) => warningAt(undefined, blockedNow(definition, values, change.reason)))
    : []

type Reader = (definition: KindDefinition, state: Plain, kept: PrivateState, run: Run) => ReadResult

const readLive: Reader = (definition, state, kept, run) => {
  const diagnostics = actorsIn(definition, state, run)
  const members = readMembers(definition, state, kept, run)
  if (members !== undefined) return { ...members, diagnostics }
  const { importedAt } = kept
  const thing =
    run.observed.things.get(identityKey(definition, identityIn(definition, state.values))) ?? 'missing'
  if (thing === 'missing')
    return importedAt === undefined
      ? { state: withValues(state, { present: false, evidence: 'read' }), private: kept, diagnostics }
      : { state: null, private: kept, diagnostics: [] }
  const live = liveValues(definition, state, thing)
  return {
    state: withValues(state, { ...live, present: true, evidence: 'read' }),
    private:
      importedAt === undefined
        ? kept
        : { records: { [addressOf(definition)]: adoptedRecord(definition, state, thing, importedAt) } },
    diagnostics,
  }
}

/** Who changed what is no longer as it was applied, as far as events tell. */
const actorsIn = (definition: KindDefinition, { values }: Plain, { plan }: Run): Diagnostic[] =>
  plan.planned.flatMap(({ change: { actor, fields } }) =>
    actor === undefined
      ? []
      : [
          warningAt(
            undefined,
            changedOutside(definition, values, { actor, fields: fields.map(({ path }) => path) }),
          ),
        ],
  )

/** Live values; one that means what the state says keeps the state's spelling. */
const liveValues = (definition: KindDefinition, state: Plain, thing: Thing): Record<string, unknown> => {
  const { ensures } = definition.expand
  const live = writableOf(definition).flatMap((name) => {
    const [field, value, prior] = [definition.fields[name], thing.values[name], state.values[name]]
    if (field === undefined || value === undefined) return []
    return [[name, prior !== undefined && same(field, prior, value) ? prior : value] as const]
  })
  return {
    ...Object.fromEntries(live),
    ...(ensures === undefined ? {} : { [ensures.field]: ensures.present }),
  }
}

const adoptedRecord = (
  definition: KindDefinition,
  state: Plain,
  { values }: Thing,
  at: string,
): RecordedResource => ({
  ...importedRecord(definition, state.values, at),
  applied: { ...identityIn(definition, state.values), ...values },
  answer: values,
  adopted: values,
})

const readRecorded: Reader = (definition, state, kept, run) => {
  const record = kept.records[addressOf(definition)]
  const shown = withValues(state, partsIn(definition, state, record, run))
  if (record === undefined) return readUnknown(definition, shown, kept)
  const standing = standingOf(definition, record, run)
  const { evidence, isOver } = standing
  const suspect = isOver ? undefined : suspected(standing, state)
  const left = Object.keys(record.leftover ?? {}).map((name): [string, unknown] => [
    name,
    withLeftover(name, state.values[name], record),
  ])
  const { seen: _, ...rest } = kept
  const seen = (evidence.events ?? []).map(({ id }) => id)
  return {
    state: withValues(shown, {
      ...Object.fromEntries(left),
      ...Object.fromEntries((suspect?.fields ?? []).map((name) => [name, undefined])),
      evidence: isOver && saysOtherwise(definition, state, record) ? 'unknown' : evidence.level,
    }),
    private: seen.length === 0 ? rest : { ...rest, seen },
    diagnostics: [
      ...(suspect === undefined ? [] : [suspect.warning]),
      ...run.log.warnings.map((warning) => warningAt(undefined, said(warning))),
    ],
  }
}

/** Parts that a list of their own shows, where they differ from the state. */
const partsIn = (
  definition: KindDefinition,
  { values }: Plain,
  record: RecordedResource | undefined,
  { observed }: Run,
): Record<string, unknown> => {
  const identity = record?.identity ?? identityIn(definition, values)
  const parts = observed.parts.get(identityKey(definition, identity))
  return Object.fromEntries(
    Object.entries(parts === undefined || parts === 'missing' ? {} : parts).filter(([name, value]) => {
      const field = definition.fields[name]
      return field !== undefined && !same(field, values[name], value)
    }),
  )
}

/** Nothing of it was ever written from here: it was imported, or it was over before it could be created. */
const readUnknown = (definition: KindDefinition, state: Plain, kept: PrivateState): ReadResult => ({
  state: withValues(state, { evidence: 'unknown' }),
  private: kept,
  diagnostics:
    kept.importedAt === undefined ? [] : [warningAt(undefined, knownByIdAlone(definition, state.values))],
})

/** A change of evidence alone would be "No changes" to Terraform; null values make it plan the assertion. */
const suspected = (
  { definition, record, evidence, touched, actor }: Standing,
  { values }: Plain,
): { readonly fields: readonly string[]; readonly warning: Diagnostic } | undefined => {
  // What was never declared is neither compared nor asserted.
  const fields = touched.filter((name) => record.applied[name] !== undefined)
  if (evidence.level !== 'suspect' || fields.length === 0) return undefined
  const text = changedOutside(definition, values, { actor: actor(fields), fields })
  return { fields, warning: warningAt(undefined, valuesUnknownNow(text)) }
}
