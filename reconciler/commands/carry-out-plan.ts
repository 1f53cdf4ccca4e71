import type { Client } from '@deploymgmt/provider/api'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import { stillToKnow, watchEvents, type Run, type SentBefore } from '@deploymgmt/provider/engine'
import { applyPlan } from '../apply/apply.ts'
import { sessionLedger } from '../apply/ledger.ts'
import { secretReader } from '../apply/secrets.ts'
import type { LoadedDeclaration } from '../config/index.ts'
import { InternalError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import { commandWords } from '../render/words.ts'
import type { Session } from '../state/index.ts'
import type { ApplyReport } from './apply-report.ts'
import { refusalOf } from './consent.ts'
import { allowedBy, type AllowOptions, type CommonOptions } from './options.ts'
import { planRun } from './plan-run.ts'
import { settledByAnswers, tellSettled } from './settle-unknown.ts'
import { tell } from './tell.ts'
import { recordedIn } from './workspace.ts'

/** What a plan is carried out with, once it is agreed to. */
interface Agreed {
  readonly io: Io
  readonly options: CommonOptions & AllowOptions
  readonly client: Client
  readonly signal: AbortSignal
  readonly session: Session
  readonly loaded: LoadedDeclaration
  /** What is sent again since the answer to it was lost. */
  readonly again: ReadonlyMap<string, SentBefore>
  readonly run: Run
  readonly report: ApplyReport
}

/** Carries out a plan, saves the state and tells the end; answers the exit code. */
export const carryOutPlan = async ({
  io,
  options,
  client,
  signal,
  session,
  loaded,
  again,
  run,
  report,
}: Agreed): Promise<number> => {
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
  await tellSettled({ io, options, loaded }, settledByAnswers(results, again))
  noteCompared(session, run, loaded)
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

/** What was compared before these creations is not looked at again. */
const noteCompared = (session: Session, { compared }: Run, { declaration }: LoadedDeclaration): void => {
  if (compared === undefined || Object.keys(compared.upTo).length === 0) return
  const upTo = { ...session.state.compared, ...compared.upTo }
  session.compared(upTo, stillToKnow(session.state.known ?? [], upTo, { definitions: kinds, declaration }))
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
