import { isDeepStrictEqual } from 'node:util'
import type { Client } from '@deploymgmt/provider/api'
import { secretsOf, type Run } from '@deploymgmt/provider/engine'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { requireSecrets, secretReader } from '../../apply/secrets.ts'
import type { LoadedDeclaration } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import { stateOf, type SavedPlan } from '../../plan-file/shape.ts'
import {
  divergences,
  refuseOtherThanSaved,
  refuseOtherThanShown,
  refuseStale,
  withoutSettled,
} from '../../plan-file/stale.ts'
import { aboutOf } from '../../render/document/about.ts'
import { wordsAbout } from './plan-words.ts'
import { openSession, waitForFormerOwner, withSession, type Session } from '../../state/index.ts'
import type { Fence } from '../service/connection.ts'
import { allowedBy, type AllowOptions, type CommonOptions } from '../line/options.ts'
import { showingReads } from '../output/live-line.ts'
import { headOf } from '../output/report.ts'
import { styleFactsOf } from '../output/style-facts.ts'
import { resolveGlobs, refuseEmptyTarget, refuseIdleTarget } from '../resolve/target.ts'
import { systemOf } from '../service/system.ts'
import { tellUnmet } from '../resolve/selector-words.ts'
import { tell } from '../output/tell.ts'
import { loadWithState } from '../resolve/load.ts'
import { recordedIn } from '../resolve/recorded.ts'
import { knownThingsOf } from './known-things.ts'
import { applyReport, type ApplyReport } from './apply-report.ts'
import { carryOutPlan } from './carry-out-plan.ts'
import { ask, needsConsent, refuseUnready } from './consent.ts'
import { changesOf, lookAtGates, pathsSent, refuseClosed } from './gates.ts'
import { planRun } from './plan-run.ts'
import type { ReadRun } from './read-run.ts'
import { refuseOpen, settleByReads, settleAllByWrites, type Outcomes } from './settle-unknown.ts'
import { reportedPlan, type ReportedPlan } from './reported-plan.ts'
import { sentBy, withSettled } from './unknown-outcomes.ts'

export interface ApplyOptions extends CommonOptions, AllowOptions {
  readonly autoApprove?: boolean
  /** The sha256 (hex) of the approved saved plan. */
  readonly expectSha256?: string
}

interface ApplyInput {
  readonly io: Io
  readonly options: ApplyOptions
  readonly client: Client
  readonly baseUrl: string
  readonly fence: Fence
  readonly signal: AbortSignal
}

/** One apply with its open state. */
interface Applying extends ApplyInput {
  readonly started: Date
  readonly session: Session
  readonly loaded: LoadedDeclaration
  readonly saved: SavedPlan | undefined
}

/** The plan of an apply, and its report. */
interface Prepared extends Pick<ReportedPlan, 'gates' | 'bare' | 'document'> {
  readonly loaded: LoadedDeclaration
  readonly run: Run
  readonly report: ApplyReport
}

/** One apply, from acquiring the lock to the summary. */
export const runApply = async (input: ApplyInput, saved: SavedPlan | undefined): Promise<number> => {
  const { io, options, baseUrl, fence, signal } = input
  const { lockTimeout } = options
  const started = io.now()
  const { loaded, session: opened } = await loadWithState(io, options, input, {
    open: (stated) => openSession({ ...stated, command: 'apply', lockTimeout, signal }, systemOf(io)),
  })
  fence.confirm = () => opened.confirm()
  return withSession(opened, async (session) => {
    for (const notice of session.notices) await tell(io, notice)
    await waitForFormerOwner(session.unlocked, { signal, undone: 'nothing was sent' }, systemOf(io))
    if (saved !== undefined) refuseStale(saved, { baseUrl, sources: loaded.sources, state: stateOf(session) })
    const applying = { ...input, started, session, loaded, saved }
    return planAndApply(applying, await settleByReads(applying))
  })
}

/**
 * Plans from reads alone, shows, refuses and asks; only then sends anything: first the writes that settle earlier
 * requests, then the agreed changes.
 */
const planAndApply = async (applying: Applying, known: Outcomes): Promise<number> => {
  const { io, options, signal } = applying
  const isSure = known.open.length === 0
  const shown = await planFirst(applying, known)
  const asks =
    options.autoApprove !== true && (needsConsent(shown.run.plan.planned) || known.steps.length > 0)
  if (isSure) await shown.report.plan({ asks: asks && io.stdin().isTTY === true })
  await refuseUnfit(applying, shown)
  const words = wordsAbout(applying.loaded)
  const changes = isSure && needsConsent(shown.run.plan.planned) ? shown.document.changes : []
  const { about } = shown.document
  if (asks) await ask(io, { about, changes, steps: known.steps }, words, signal)
  if (!asks && known.steps.length === 0) return carryOutPlan({ ...applying, ...known, ...shown })
  if (asks && known.steps.length > 0) await refuseClosedSince(applying, { shown, known })
  const settled = known.steps.length === 0 ? known : await settleAllByWrites(applying, known)
  // While outcomes were unknown, no plan was shown, so nobody has agreed to one yet.
  if (!isSure) return planAndApply(applying, settled)
  const fresh = await planLater(applying, { shown, known, settled, asks })
  return carryOutPlan({ ...applying, ...settled, ...fresh })
}

/**
 * The plan from reads alone: for requests that are not settled yet, the expected outcome counts.
 * @throws UnknownOutcomeError if a person has to decide, and no write could tell more
 */
const planFirst = async (applying: Applying, known: Outcomes): Promise<Prepared> => {
  const { options, session, saved } = applying
  const { open, provisional, steps } = known
  const records = withSettled(session.state.resources, provisional)
  // Declared values may refer to what settling has found.
  const loaded = known.any ? await applying.loaded.reevaluate(recordedIn(records)) : applying.loaded
  const globs = resolveGlobs(options.target, loaded.declaration, records)
  refuseEmptyTarget(globs, loaded.declaration, records)
  if (steps.length === 0 || saved !== undefined) await refuseOpen(applying, open)
  const now = saved === undefined ? {} : { now: new Date(saved.now) }
  const { run, recordedThere } = await runOf({ ...applying, loaded }, { records, ...now })
  // A saved plan is compared as a whole instead.
  if (saved === undefined) refuseIdleTarget(globs, loaded.declaration, records, run.plan)
  await tellUnmet(applying.io, loaded, run)
  const shown = await prepare(applying, { loaded, run, recordedThere, toSettle: provisional })
  if (saved !== undefined) {
    refuseOtherThanSaved(saved.document, shown.bare)
    await noteVersion(applying, saved)
  }
  return shown
}

/** Turns a plan into its report. */
const prepare = async (
  { io, options, client, baseUrl, session, started, saved }: Applying,
  {
    loaded,
    run,
    recordedThere,
    toSettle,
  }: Pick<Prepared, 'loaded'> & RunThere & { readonly toSettle: Outcomes['provisional'] },
): Promise<Prepared> => {
  const { declaration } = loaded
  const about = aboutOf({ declaration, sources: loaded.sources, baseUrl, publicKey: client.publicKey })
  const records = session.state.resources
  const read = { about, client, loaded, session, records, run, recordedThere }
  const found = { ...read, toSettle, provisional: toSettle }
  const { words, gates, bare, document, afterwards } = await reportedPlan(io, options, found)
  const report = await applyReport(io, options, {
    client,
    document,
    words,
    afterwards,
    head: { ...headOf(declaration, started, io), ...(saved === undefined ? {} : { asOf: saved.now }) },
    started,
    told: { ...styleFactsOf(about, run.now), allowed: allowedBy(options) },
    unknown: () => session.unknown,
  })
  return { loaded, run, bare, document, gates, report }
}

/**
 * All refusals that come before anything is sent.
 * @throws StateMissingError, GuardError, GateError, SecretError
 */
const refuseUnfit = async (
  { io, options, session }: Applying,
  { run: { plan }, loaded, gates }: Pick<Prepared, 'run' | 'loaded' | 'gates'>,
): Promise<void> => {
  const words = wordsAbout(loaded)
  const refusals = await Promise.all([
    refusalBy(async () => refuseUnready(plan, session, { io, options, words })),
    refusalBy(async () => refuseClosed(gates, options)),
    refusalBy(() => requireSecrets(secretsOf(plan.planned), secretReader(io))),
  ])
  const [first, ...others] = refusals.filter((each) => each !== undefined)
  // Reports all of them, so that fixing one does not only reveal the next.
  for (const each of others) await tell(io, each.describe())
  if (first !== undefined) throw first
}

const refusalBy = async (check: () => Promise<void>): Promise<DeploymgmtError | undefined> => {
  try {
    await check()
    return undefined
  } catch (error) {
    if (error instanceof DeploymgmtError) return error
    throw error
  }
}

/** A run, and what the states of other manifests record. */
type RunThere = Pick<ReadRun, 'run' | 'recordedThere'>

/**
 * Changes that follow from the passing of time alone are nobody's changes, so the plan is made again as of the time
 * of the saved one.
 */
const runOf = async (
  { io, client, loaded, options, session }: Applying,
  more: Omit<Parameters<typeof planRun>[1], 'loaded' | 'look' | 'globs' | 'knownThings' | 'sent'>,
): Promise<RunThere> => {
  const knownThings = knownThingsOf(io, options, loaded, session)
  const globs = resolveGlobs(options.target, loaded.declaration, more.records)
  const sent = sentBy(session)
  const input = { loaded, look: 'for-plan', withRaw: true, globs, knownThings, sent, ...more } as const
  const run = await showingReads(io, options, client, async () => planRun(client, input))
  return { run, recordedThere: knownThings.recordedThere }
}

/** A different version of the service may treat the same requests differently. */
const noteVersion = async ({ client, io }: Applying, { serviceVersion }: SavedPlan): Promise<void> => {
  const now = client.serviceVersion
  if (serviceVersion === undefined || now === undefined || serviceVersion === now) return
  await tell(
    io,
    `Warning: the plan was made with version ${serviceVersion} of the service, which now has version ${now}.`,
  )
}

/** A gate can close while a person decides. @throws GateError before anything is sent, also what only settles */
const refuseClosedSince = async (
  { client, options }: Applying,
  { shown: { run, loaded }, known }: Pick<Earlier, 'shown' | 'known'>,
): Promise<void> =>
  refuseClosed(await lookAtGates(client, loaded, pathsSent(run, known.provisional), options), options)

/** The state of affairs before planning again. */
interface Earlier {
  readonly shown: Prepared
  readonly known: Outcomes
  readonly settled: Outcomes
  readonly asks: boolean
}

/**
 * Plans again: while a person was reading, someone else may have written, and lost requests may have ended in
 * another way than expected. Nobody has agreed to what was not shown; if nobody was asked, it is shown now.
 */
const planLater = async (applying: Applying, { shown, known, settled, asks }: Earlier): Promise<Prepared> => {
  const { io, options, client, session, saved } = applying
  const records = session.state.resources
  const loaded = known.any ? await applying.loaded.reevaluate(recordedIn(records)) : shown.loaded
  // If nobody was asked, nobody had time to change anything, so at most events are read again.
  const how = asks ? { now: shown.run.now } : { after: { run: shown.run, log: settled.log } }
  const { run, recordedThere } = await runOf({ ...applying, loaded }, { records, ...how })
  const expected = new Set(known.provisional.map(({ address }) => address))
  const acts = withoutSettled(changesOf(shown.run), changesOf(run), expected)
  const isAgreed = asks || saved !== undefined
  if (isAgreed) refuseOtherThanShown(...acts, { allowOverwrite: options.allowOverwrite === true })
  const words = wordsAbout(loaded)
  const isOther = divergences(...acts).length > 0
  const toSettle = known.steps.length === 0 ? known.provisional : []
  const fresh =
    isOther || known.steps.length > 0
      ? await prepare(applying, { loaded, run, recordedThere, toSettle })
      : { ...shown, run }
  if (isOther && !isAgreed) await fresh.report.plan({ asks: false })
  for (const warning of run.plan.warnings)
    if (!shown.run.plan.warnings.some((each) => isDeepStrictEqual(each, warning)))
      await tell(io, `Warning: ${words.says(warning)}`)
  // A gate can close while a person decides.
  const gates = asks ? await lookAtGates(client, loaded, pathsSent(run, []), options) : fresh.gates
  await refuseUnfit(applying, { ...fresh, gates })
  return fresh
}
