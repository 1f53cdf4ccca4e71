import { isNone, isReadable, pick, pickBy, type KindDefinition, type Values } from '../../core/index.ts'
import {
  evidenceOfKept,
  identified,
  idNotTold,
  isComplete,
  readAndPlan,
  same,
  standingOf,
  writableFields,
  type PlannedChange,
  type RecordedResource,
  type Records,
  type Run,
  type Standing,
  type Thing,
} from '../../engine/index.ts'
import { isGiven, withValues, type Plain } from '../codec/plain.ts'
import { isUntold, recordsIn, type PrivateMemory, type PrivateState } from '../codec/private-state.ts'
import type { Configured } from '../connection/connection.ts'
import type { SaidKey, SaidOnce } from '../connection/said-once.ts'
import { idUnknown } from '../words/applies.ts'
import { worded } from '../words/plans.ts'
import { becauseOf, knownByIdAlone } from '../words/readings.ts'
import { warningAt, type Diagnostic } from '../diagnostics.ts'
import { addressOf, declarationOf, entryOf, identityIn, importedRecord, stateKey } from './entry.ts'
import { attributesInDoubt, lostIn, remembered } from './lost-memory.ts'
import { endedIn, withLeftover } from './new-state.ts'
import { noteOutside, outsideIn, suspected } from './outside.ts'
import { readMembers } from './read-members.ts'
import { asInState, standingIn } from './standing.ts'

interface ReadResult {
  /** Null says that there is nothing to import, or that the thing is gone and can be created again. */
  readonly state: Plain | null
  readonly private: PrivateState
  readonly diagnostics: readonly Diagnostic[]
}

/** What is known of a resource now: live if an endpoint shows it, otherwise by events. */
export const readResource = async (
  definition: KindDefinition,
  state: Plain,
  handed: PrivateState,
  configured: Configured,
): Promise<ReadResult> => {
  const kept = remembered(definition, state, handed, configured.client.serviceNow())
  const run = await lookAt(definition, state, kept, configured)
  const standing = standingIn(definition, state, recordsIn(kept)[addressOf(definition)], run)
  const read = isReadable(definition) ? readLive : readRecorded
  const { saidOnce, client } = configured
  const result = read(standing, { state, kept, run, ownKey: client.publicKey, saidOnce })
  if (result.state === null) return result
  return {
    ...result,
    state: withValues(result.state, endedIn(standing)),
    diagnostics: [
      ...result.diagnostics,
      ...lostIn(definition, state, kept),
      ...blockedIn(definition, state, kept, { run, ownKey: client.publicKey, saidOnce }),
    ],
  }
}

const lookAt = (
  definition: KindDefinition,
  state: Plain,
  kept: PrivateMemory,
  { reads, kinds, orgIds }: Configured,
): Promise<Run> =>
  readAndPlan(reads.shared, {
    definitions: [definition],
    declaration: declarationOf([entryOf(definition, state)], orgIds),
    records: asInState(definition, state, recordsIn(kept)),
    look: 'at-everything',
    withRaw: true,
    lists: reads.lists,
    allParts: true,
    provenBy: kinds,
  })

/** Warns of changes that no apply can put right: an error would stop the plan of the whole workspace. */
const blockedIn = (
  definition: KindDefinition,
  { values }: Plain,
  kept: PrivateMemory,
  { run: { plan }, ownKey, saidOnce }: Pick<Reading, 'run' | 'ownKey' | 'saidOnce'>,
): Diagnostic[] => {
  if (kept.is === 'imported') return []
  const blocked = plan.planned.map(({ change }) => change).filter(({ action }) => action === 'blocked')
  for (const change of blocked) saidOnce.add(blockedKey(definition, values, change))
  return blocked.map((change) => warningAt(undefined, becauseOf(definition, values, change, ownKey)))
}

/** The key by which the plan that follows knows that this was said. */
export const blockedKey = (
  definition: KindDefinition,
  values: Values,
  { reason: { code } }: Pick<PlannedChange['change'], 'reason'>,
): SaidKey => ['blocked', code, stateKey(definition, values)]

interface Reading {
  readonly state: Plain
  readonly kept: PrivateMemory
  readonly run: Run
  /** The provider's key, by which an event can name another resource as its actor. */
  readonly ownKey: string
  readonly saidOnce: SaidOnce
}
type Reader = (standing: Standing, reading: Reading) => ReadResult

const readLive: Reader = (standing, { state, kept, run, ownKey, saidOnce }) => {
  const { definition, live, evidence } = standing
  const standings = Object.values(recordsIn(kept)).map((record) => standingOf(definition, record, run))
  const diagnostics = outsideIn(definition, state, { run, ownKey, standings })
  if (diagnostics.length > 0) noteOutside(definition, state, saidOnce)
  const members = readMembers(definition, { state, kept, run, standings })
  if (members !== undefined) return { ...members, diagnostics }
  if (typeof live === 'string') {
    const isImported = kept.is === 'imported'
    // Terraform plans to create what its state no longer has.
    if (isImported || !isNone(definition.establish.create))
      return { state: null, private: kept, diagnostics: isImported ? [] : diagnostics }
    const gone = withValues(state, { present: false, evidence: evidence.level })
    return { state: gone, private: kept, diagnostics }
  }
  const after = withValues(liveState(definition, state, live), unshown(standing, state, ownKey))
  if (kept.is === 'imported')
    return { state: after, private: adopted(definition, state, live, kept.importedAt), diagnostics }
  // A later plan that puts the value back names who changed it, even if a refresh has stored it by then.
  const isChanged = writableFields(definition).some((name) => after.values[name] !== state.values[name])
  const records = isChanged ? asInState(definition, state, kept.records) : kept.records
  return { state: after, private: { ...kept, records }, diagnostics }
}

/** How what a reading does not show is known; what is in doubt is null, and asserted by the next apply. */
const unshown = (standing: Standing, state: Plain, ownKey: string): Values => ({
  ...Object.fromEntries((suspected(standing, state, ownKey)?.fields ?? []).map((name) => [name, undefined])),
  evidence: standing.evidence.level,
})

/** The state of one thing that was read. */
export const liveState = (definition: KindDefinition, state: Plain, live: Thing): Plain =>
  withValues(state, {
    ...differingFrom(state, definition, writableIn(definition, live)),
    ...isThere(definition),
    present: true,
    evidence: 'read',
  })

const isThere = ({ expand: { ensures } }: KindDefinition): Values =>
  ensures === undefined ? {} : { [ensures.field]: ensures.present }

const writableIn = (definition: KindDefinition, { values }: Thing): Values =>
  pickBy(pick(values, writableFields(definition)), (value) => value !== undefined)

/** Values that were read and mean something else than the state says; otherwise the state keeps its spelling. */
const differingFrom = ({ values }: Plain, { fields }: KindDefinition, read: Values): Values =>
  pickBy(read, (value, name) => !same(fields[name], values[name], value))

/** What an import becomes once the thing was read. */
const adopted = (definition: KindDefinition, state: Plain, { values }: Thing, at: string): PrivateMemory => {
  const record: RecordedResource = {
    ...importedRecord(definition, state.values, at),
    applied: { ...identityIn(definition, state.values), ...values },
    answer: values,
    adopted: values,
  }
  return { is: 'remembered', records: { [addressOf(definition)]: record } }
}

const readRecorded: Reader = (standing, { state, kept, run, ownKey, saidOnce }) => {
  const { definition, parts, evidence } = standing
  if (parts === 'missing' && isUntold(kept)) return { state: null, private: kept, diagnostics: [] }
  const address = addressOf(definition)
  const { record, isTold } = withIdTold(definition, standing.record, run)
  const suspect = suspected(standing, state, ownKey)
  const doubtful = [...(suspect?.fields ?? []), ...attributesInDoubt(kept, state, record)]
  const left = Object.keys(record.leftover ?? {}).map((name): [string, unknown] => [
    name,
    withLeftover(name, state.values[name], record),
  ])
  const seen = (evidence.events ?? []).map(({ id }) => id)
  const isStored = seen.length > 0 && seen.every((id) => kept.seen?.includes(id))
  const isTelling = suspect !== undefined && !isStored
  if (isTelling) noteOutside(definition, state, saidOnce)
  return {
    state: withValues(state, {
      ...(typeof parts === 'string' ? {} : differingFrom(state, definition, partsIn(state, kept, parts))),
      ...(parts === 'unseen' ? {} : { present: parts !== 'missing' }),
      ...Object.fromEntries(left),
      ...Object.fromEntries(doubtful.map((name) => [name, undefined])),
      ...namedBy(definition, state, record),
      evidence: evidenceOfKept(standing, state.values),
    }),
    private: afterReading(kept, { told: isTold ? { [address]: record } : {}, seen }),
    diagnostics: [
      // Once a state has it, the values are null there: the plan tells it where it writes them, or nothing would end it.
      ...(isTelling ? [suspect.warning] : []),
      ...knownLittle(definition, state, kept),
      ...unnamed(definition, state, recordsIn(kept)[address] === undefined ? undefined : record),
      ...run.log.warnings.map((warning) => warningAt(undefined, worded(warning))),
    ],
  }
}

/** The memory after a read: for an import, the first read has told everything. */
const afterReading = (
  kept: PrivateMemory,
  { told, seen }: { readonly told: Records; readonly seen: readonly string[] },
): PrivateMemory => {
  const seeing = seen.length === 0 ? {} : { seen }
  // It was imported by its id, so no event needs to tell it.
  if (kept.is === 'imported') return { is: 'imported', importedAt: kept.importedAt, ...seeing }
  const { seen: _, ...rest } = kept
  return { ...rest, records: { ...kept.records, ...told }, ...seeing }
}

/** An import brings every part; later, a part that is not in the state was never configured. */
const partsIn = ({ values }: Plain, kept: PrivateMemory, parts: Values): Values =>
  kept.is === 'imported' ? parts : pickBy(parts, (_, name) => values[name] !== undefined)

/** The record of a creation whose answer was lost, with its id if events tell it by now. */
const withIdTold = (
  definition: KindDefinition,
  record: RecordedResource,
  { log }: Run,
): { readonly record: RecordedResource; readonly isTold: boolean } => {
  const named = identified(definition, record, log)
  return { record: named, isTold: named !== record }
}

/** The key, if the state does not have it yet. */
const namedBy = ({ identity: { key } }: KindDefinition, state: Plain, record: RecordedResource): Values => {
  const told = record.identity[key]
  return told === undefined || isGiven(state, key) ? {} : { [key]: told, id: told }
}

/** Warns of a thing that was created, but cannot be changed until its id is known. */
const unnamed = (
  definition: KindDefinition,
  { values }: Plain,
  record: RecordedResource | undefined,
): Diagnostic[] =>
  record === undefined || isComplete(definition, record.identity)
    ? []
    : [warningAt(undefined, idUnknown(definition, values, idNotTold(definition)))]

/** Warns once of what an import cannot bring: if none of it is configured, no apply would ever end the warning. */
const knownLittle = (definition: KindDefinition, { values }: Plain, kept: PrivateMemory): Diagnostic[] =>
  isUntold(kept) ? [warningAt(undefined, knownByIdAlone(definition, values))] : []
