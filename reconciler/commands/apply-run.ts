import { isDeepStrictEqual } from 'node:util'
import type { Client } from '@deploymgmt/provider/api'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import { secretsOf, watchEvents, type Change, type Run, type SentBefore } from '@deploymgmt/provider/engine'
import { applyPlan } from '../apply/apply.ts'
import { sessionLedger } from '../apply/ledger.ts'
import { missingSecrets, refuseShownSecrets, requireSecrets, secretReader } from '../apply/secrets.ts'
import type { LoadedDeclaration } from '../config/index.ts'
import { InternalError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import type { SavedPlan } from '../plan-file/shape.ts'
import { refuseOtherThanSaved, refuseOtherThanShown, refuseStale } from '../plan-file/stale.ts'
import { planDocument } from '../render/document.ts'
import { commandWords } from '../render/words.ts'
import { openSession, type Session } from '../state/index.ts'
import { applyReport, type ApplyReport } from './apply-report.ts'
import { ask, needsConsent, refusalOf, refuseUnready } from './consent.ts'
import { allowedBy, type AllowOptions, type CommonOptions } from './options.ts'
import { stateOf, withNotices } from './plan.ts'
import { planRun } from './plan-run.ts'
import { headOf } from './report.ts'
import { refuseEmptyTarget } from './target.ts'
import { settledByAnswers, settleUnknown, tellSettled } from './settle-unknown.ts'
import { tell } from './tell.ts'
import { addressesIn, dataReader, loadWithState, recordedIn, statePathOf } from './workspace.ts'

export interface ApplyOptions extends CommonOptions, AllowOptions {
  readonly autoApprove?: boolean
  /** The sha256 (hex) of the saved plan that was approved. */
  readonly expectSha256?: string
}

interface ApplyInput {
  readonly io: Io
  readonly options: ApplyOptions
  readonly client: Client
  readonly baseUrl: string
  readonly signal: AbortSignal
}

/** One apply, once its state is open. */
interface Applying extends ApplyInput {
  readonly started: Date
  readonly session: Session
  readonly loaded: LoadedDeclaration
  /** What is sent again since the answer to it was lost. */
  readonly again: ReadonlyMap<string, SentBefore>
  /** What this run has asked whether it is what a lost creation made. */
  readonly asked: ReadonlySet<string>
}

/** One apply, from the lock to the last line. */
export const runApply = async (input: ApplyInput, saved: SavedPlan | undefined): Promise<number> => {
  const { io, options, client, baseUrl } = input
  const started = io.now()
  const statePath = statePathOf(io, options)
  const { loaded, session } = await loadWithState(io, options, dataReader(client), (name) =>
    openSession({ statePath, expect: { name, baseUrl }, command: 'apply' }, { now: io.now }),
  )
  try {
    for (const notice of session.notices) await tell(io, notice)
    if (saved !== undefined) refuseStale(saved, { baseUrl, sources: loaded.sources, state: stateOf(session) })
    return await planAndApply(
      { ...input, started, session, ...(await settled(input, session, loaded)) },
      saved,
    )
  } finally {
    await session.close()
  }
}

/** Finds out about writes of unknown outcome first; what is declared may refer to what that tells. */
const settled = async (
  input: ApplyInput,
  session: Session,
  first: LoadedDeclaration,
): Promise<Pick<Applying, 'loaded' | 'asked' | 'again'>> => {
  const { any, ...found } = await settleUnknown({ ...input, session, loaded: first })
  return { ...found, loaded: any ? await first.reevaluate(recordedIn(session.state.resources)) : first }
}

const planAndApply = async (applying: Applying, saved: SavedPlan | undefined): Promise<number> => {
  const { io, options, client, session, loaded, started, signal, asked } = applying
  const { declaration } = loaded
  refuseEmptyTarget(options.target, addressesIn(declaration, session.state.resources))
  let run = await runOf(applying, saved === undefined ? undefined : new Date(saved.now))
  // Before anything of it is shown: what is missing is told once the plan is.
  await missingSecrets(secretsOf(run.plan.planned), secretReader(io))
  refuseShownSecrets(declaration.entries, io.secrets)
  const words = commandWords(declaration.projectNames)
  const { requestsSent } = client
  const made = planDocument(run.plan, words, { requestsSent, all: options.all === true })
  const document = withNotices(made, session.exists, client.skewMs)
  if (saved !== undefined) {
    refuseOtherThanSaved(saved.document, made, asked)
    await noteVersion(applying, saved)
  }
  const head = headOf(declaration, started, io)
  const report = await applyReport(io, options, {
    document,
    words,
    head,
    started,
    names: declaration.projectNames,
    unknown: () => session.unknown,
  })
  const asks = options.autoApprove !== true && needsConsent(run.plan.planned)
  await report.plan({ asks: asks && io.stdin.isTTY === true })
  refuseUnready(run.plan, session, options, words)
  await requireSecrets(secretsOf(run.plan.planned), secretReader(io))
  if (asks) {
    await ask(io, document, signal)
    run = await readAgain(applying, run)
  }
  return carryOutPlan(applying, run, report)
}

/** What time alone changes after a plan was shown is nobody's change: the plan is made again as of then. */
const runOf = ({ client, loaded, session, options }: Applying, asOf?: Date): Promise<Run> =>
  planRun(client, {
    loaded,
    records: session.state.resources,
    look: 'for-plan',
    globs: options.target,
    ...(asOf === undefined ? {} : { now: asOf }),
  })

/** A service that was changed may do other things with the same requests. */
const noteVersion = async ({ client, io }: Applying, { serviceVersion }: SavedPlan): Promise<void> => {
  const now = client.serviceVersion
  if (serviceVersion === undefined || now === undefined || serviceVersion === now) return
  await tell(
    io,
    `Warning: the plan was made with version ${serviceVersion} of the service, and it is ${now} now.`,
  )
}

/** While a person was reading, someone else may have written: what is readable is read again first. */
const readAgain = async (applying: Applying, shown: Run): Promise<Run> => {
  const { io, options, session, loaded } = applying
  const fresh = await runOf(applying, shown.now)
  const allowOverwrite = options.allowOverwrite === true
  refuseOtherThanShown(changesOf(shown), changesOf(fresh), { allowOverwrite })
  const words = commandWords(loaded.declaration.projectNames)
  for (const warning of fresh.plan.warnings)
    if (!shown.plan.warnings.some((known) => isDeepStrictEqual(known, warning)))
      await tell(io, words.says(warning))
  refuseUnready(fresh.plan, session, options, words)
  return fresh
}

const carryOutPlan = async (applying: Applying, run: Run, report: ApplyReport): Promise<number> => {
  const { io, options, client, session, loaded, again, signal } = applying
  const { planned, targeted } = run.plan
  const context = {
    client,
    ledger: sessionLedger(session),
    definitions: kinds,
    planned,
    allowed: allowedBy(options),
    secret: secretReader(io),
    watch: watchEvents(client, run),
    again,
  }
  const { results, failure } = await applyPlan({
    context,
    planned,
    // The same manifests with what is recorded by now: what referred to it has its values.
    planAgain: async (addresses) => {
      const records = session.state.resources
      const input = { loaded: await loaded.reevaluate(recordedIn(records)), records, globs: [...addresses] }
      return (await planRun(client, { ...input, look: 'for-plan', now: run.now })).plan.planned
    },
    concurrency: options.concurrency,
    signal,
    refuse: (needs) => refusalOf(needs, commandWords(loaded.declaration.projectNames)),
    onStart: (each) => report.started(each),
    onFinish: (result) => report.finished(result),
  })
  await tellSettled(applying, settledByAnswers(results, again))
  const error = failure ?? (await commit(session))
  const code = await report.summary(results, {
    requestsSent: client.requestsSent,
    targeted,
    interrupted: signal.aborted,
    ...(error === undefined ? {} : { error }),
  })
  if (error !== undefined) await tell(io, error.describe())
  return code
}

/** What was done is told in any case, so that a state that cannot be saved is one more thing to tell. */
const commit = async (session: Session): Promise<DeploymgmtError | undefined> => {
  try {
    if (session.dirty || session.exists) await session.commit()
    return undefined
  } catch (error) {
    return error instanceof DeploymgmtError ? error : new InternalError(error)
  }
}

const changesOf = ({ plan }: Run): Change[] => plan.planned.map(({ change }) => change)
