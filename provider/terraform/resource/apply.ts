import { isNone, type KindDefinition, type Values } from '../../core/index.ts'
import {
  identityKey,
  readAndPlan,
  scopeKey,
  type EngineClient,
  type PlannedChange,
  type Records,
  type Run,
  type RunInput,
} from '../../engine/index.ts'
import { isKnown, type Plain } from '../codec/plain.ts'
import type { PrivateState } from '../codec/private-state.ts'
import type { Configured } from '../connection/connection.ts'
import type { HandOver } from '../connection/turns.ts'
import { ENDED_SINCE, inStateTainted } from '../words/applies.ts'
import { failed } from '../words/failures.ts'
import { errorAt, hasErrors, type Diagnostic } from '../diagnostics.ts'
import { objectOf, runInput, type ResourceChange } from './change.ts'
import { addressOf, canAdopt, identityIn, onRemoveIn } from './entry.ts'
import { refusedAsLost, remembered, stillLost } from './lost-memory.ts'
import { MemoryLedger } from './memory-ledger.ts'
import { mapIn, membersFound, membersOf } from './members.ts'
import { finished, membersReached, reached } from './new-state.ts'
import { asking, refusals } from './refusals.ts'
import { isForgotten, putsBack, refusedWithoutMemory } from './replacement.ts'
import { carryOutAndSettle } from './send-again.ts'
import { asInState, standingIn } from './standing.ts'
import { staleSince } from './stale.ts'

interface AppliedResource {
  readonly state: Plain | null
  readonly private: PrivateState
  readonly diagnostics: readonly Diagnostic[]
}

/** Carries out a planned change of one resource, with the same plan and the same writes as the command. */
export const applyResource = (
  definition: KindDefinition,
  change: ResourceChange,
  configured: Configured,
): Promise<AppliedResource> =>
  configured.turns.take(handOverOf(definition, change), () => applyInTurn(definition, change, configured))

/** What an apply may do to a thing that another resource stands for in the same apply. */
const handOverOf = (definition: KindDefinition, change: ResourceChange): HandOver => {
  const object = objectOf(change)
  return {
    place: scopeKey(definition, identityIn(definition, object.values)),
    gives:
      definition.release[onRemoveIn(definition, object.values)]?.way === 'send' &&
      leavesAny(definition, change),
    // What only a creation makes is no other resource's.
    takes: change.planned !== null && !isNone(definition.establish.adopt),
  }
}

/** Whether it gives up a thing: all of them, or those that its selector may no longer match. */
const leavesAny = (definition: KindDefinition, { prior, planned }: ResourceChange): boolean => {
  if (prior === null) return false
  if (planned === null) return true
  const members = membersOf(definition, prior)
  if (members === undefined) return false
  const after = mapIn(members, planned)
  return (
    !isKnown(planned, members.map) ||
    Object.keys(mapIn(members, prior)).some((key) => !Object.hasOwn(after, key))
  )
}

const applyInTurn = async (
  definition: KindDefinition,
  change: ResourceChange,
  configured: Configured,
): Promise<AppliedResource> => {
  const { prior, planned, kept } = change
  if (prior === null) return apply(definition, change, configured)
  if (!isForgotten(planned, kept)) {
    const memory = remembered(definition, prior, kept, configured.client.serviceNow())
    return apply(definition, { ...change, kept: memory }, configured)
  }
  const refused = refusedWithoutMemory(definition, prior)
  // An answer without a state keeps everything that Terraform remembers; any other would overwrite it.
  const unchanged = (diagnostics: readonly Diagnostic[]) => ({ state: null, private: kept, diagnostics })
  if (refused.length > 0) return unchanged(refused)
  const applied = await apply(definition, change, configured).catch((error: unknown) =>
    unchanged([errorAt(undefined, failed(error))]),
  )
  return hasErrors(applied.diagnostics) ? unchanged(applied.diagnostics) : applied
}

const apply = async (
  definition: KindDefinition,
  change: ResourceChange,
  configured: Configured,
): Promise<AppliedResource> => {
  const { prior, planned, kept } = change
  const { fresh: client, young, youngLists: lists } = configured.reads
  const input = runInput(definition, change, configured)
  const lost = planned === null ? refusedAsLost(definition, prior, kept) : []
  if (lost.length > 0) return { state: prior, private: kept, diagnostics: lost }
  const seen = prior === null ? input.records : asInState(definition, prior, input.records)
  const first = await readAndPlan(young, { ...input, records: seen, lists })
  const refuse = (run: Run): Diagnostic[] => [
    ...refusals(definition, run, objectOf(change), { needed: asking(change) }),
    ...replaced(change, run.plan.planned),
    ...staleSince(definition, change, run.plan.planned, client.publicKey),
  ]
  const refused = refuse(first)
  if (hasErrors(refused)) return { state: prior, private: kept, diagnostics: refused }
  const { justApplied, creations, saidOnce } = configured
  const ledger = new MemoryLedger(definition, input.records, client.serviceNow, configured)
  const tools = { client, ledger, justApplied, creations, saidOnce }
  const { said, run } = await carryOutAndSettle(definition, change, { run: first, input, tools, refuse })
  const { records } = ledger
  return stateAfter(definition, change, { configured, client, input, run, records, said })
}

interface Done {
  readonly configured: Configured
  readonly client: EngineClient
  readonly input: RunInput
  readonly run: Run
  readonly records: Records
  /** Diagnostics from carrying it out. */
  readonly said: readonly Diagnostic[]
}

/** What Terraform is to remember after the apply, even if it was only partly done. */
const stateAfter = async (
  definition: KindDefinition,
  { prior, planned, kept }: ResourceChange,
  done: Done,
): Promise<AppliedResource> => {
  const { configured, run, records, said } = done
  const isFailed = hasErrors(said)
  const nothing = Object.keys(records).length === 0
  const after: PrivateState =
    nothing && kept.is === 'imported'
      ? { is: 'imported', importedAt: kept.importedAt }
      : { is: 'remembered', records, ...stillLost(definition, kept, isFailed) }
  if (planned === null) return { state: isFailed ? prior : null, private: after, diagnostics: said }
  if (isFailed && (nothing || beginsAnew(definition, prior, records)))
    return { state: prior, private: kept, diagnostics: said }
  for (const { identity } of Object.values(records))
    configured.justApplied.add(identityKey(definition, identity))
  if (isFailed)
    return {
      state: reached(definition, { prior, planned }, { before: done.input.records, records }),
      private: after,
      diagnostics: prior === null ? said.map(tainted) : said,
    }
  const record = records[addressOf(definition)]
  const state = finished(definition, planned, {
    records,
    record,
    standing: standingIn(definition, planned, record, run),
    isShown: run.plan.planned.every(
      ({ change }) => change.after === null || change.evidence.level === 'read',
    ),
    members: await membersAfter(definition, planned, done),
  })
  return { state, private: after, diagnostics: said }
}

/**
 * Terraform taints what fails during its creation. An adopted thing has in its state what it was before, which has to
 * be put back one day: its replacement is refused, and once untainted it goes on.
 */
const tainted = (diagnostic: Diagnostic): Diagnostic =>
  diagnostic.severity === 'error' ? errorAt(diagnostic.at, inStateTainted(diagnostic)) : diagnostic

/**
 * Whether an adoption with nothing to put back, because none can be or nothing was written, starts again, with what
 * it has to learn first; a state would be tainted.
 */
const beginsAnew = (definition: KindDefinition, prior: Plain | null, records: Records): boolean =>
  prior === null &&
  canAdopt(definition) &&
  (!Object.values(definition.release).some(putsBack) ||
    Object.values(records).every(({ lastWrite }) => lastWrite === null))

/** A thing that ended after the read would be created anew, although Terraform was told that it keeps its id. */
const replaced = ({ prior, planned }: ResourceChange, changes: readonly PlannedChange[]): Diagnostic[] =>
  prior !== null &&
  planned?.unknown.has('id') === false &&
  changes.some(({ change }) => change.action === 'create')
    ? [errorAt(undefined, ENDED_SINCE)]
    : []

/** The members of a resource after the apply; a failing read must not lose what was written. */
const membersAfter = async (
  definition: KindDefinition,
  planned: Plain,
  { client, input, records }: Done,
): Promise<Values | undefined> => {
  const members = membersOf(definition, planned)
  if (members === undefined || !planned.unknown.has(members.map)) return undefined
  const { target: _, ...whole } = input
  const run = await readAndPlan(client, whole).catch(() => undefined)
  const written = membersReached(definition, { prior: null, planned }, { before: input.records, records })
  return (run && membersFound(definition, planned, run, written)) ?? written
}
