import { omit } from '@deploymgmt/provider/core'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  foundQuiet,
  isDifference,
  stillToKnow,
  watchEvents,
  type Run,
  type SentBefore,
} from '@deploymgmt/provider/engine'
import { IntentsAhead } from '../../apply/intents-ahead.ts'
import { applyPlan, type Applied } from '../../apply/waves.ts'
import { sessionLedger } from '../../apply/ledger.ts'
import { asUnsaved, exitCodeOf, type ChangeResult } from '../../apply/result.ts'
import { secretReader, standInReader } from '../../apply/secrets.ts'
import type { PlanAgain } from '../../apply/waiting.ts'
import { asOurs, LedgerError } from '../../errors/index.ts'
import { wordsAbout } from './plan-words.ts'
import { noteFiles, noteProjects, noteReached, type Session } from '../../state/index.ts'
import { allowedBy } from '../line/options.ts'
import { tell } from '../output/tell.ts'
import { filesRead } from '../resolve/files-read.ts'
import { recordedIn } from '../resolve/recorded.ts'
import type { ApplyReport } from './apply-report.ts'
import { refusalOf } from './consent.ts'
import { planRun } from './plan-run.ts'
import { settledByAnswers, tellSettled, type Settling } from './settle-unknown.ts'

/** The inputs of an agreed plan. */
interface Agreed extends Settling {
  readonly signal: AbortSignal
  /** Creations that are sent again because their answers were lost. */
  readonly again: ReadonlyMap<string, SentBefore>
  readonly run: Run
  readonly report: ApplyReport
}

/** Carries out a plan, saves the state and prints the summary; returns the exit code. */
export const carryOutPlan = async (agreed: Agreed): Promise<number> => {
  const { io, options, client, signal, session, loaded, again, run, report } = agreed
  const { results, failure } = await session.holding(() => applyAgreed(agreed)).finally(() => report.ran())
  await tellSettled({ io, options, loaded }, settledByAnswers(results, again))
  noteCompared(agreed)
  noteQuiet(agreed)
  if (!run.plan.targeted) await noteWhole(agreed, results)
  noteProjects(session, loaded.declaration.projectNames)
  const errors = await closeSession(session, results, failure ?? (await commit(session)))
  const [error] = errors
  const code = await report.summary(asRecorded(results, session), {
    requestsSent: client.requestsSent,
    targeted: run.plan.targeted,
    interrupted: signal.aborted,
    ...(error === undefined ? {} : { error }),
  })
  for (const text of new Set(errors.map((each) => each.describe()))) await tell(io, text)
  return code
}

const applyAgreed = (agreed: Agreed): Promise<Applied> => {
  const { io, options, signal, session, loaded, run, report } = agreed
  const { concurrency } = options
  const ahead = session.isDear ? new IntentsAhead(session, { least: concurrency, now: io.now }) : undefined
  return applyPlan({
    context: contextOf(agreed, ahead),
    planned: run.plan.planned,
    planAgain: planningAgain(agreed),
    concurrency,
    ...(ahead === undefined ? {} : { ahead }),
    signal,
    refuse: (needs) => refusalOf(needs, wordsAbout(loaded)),
    onStart: (each) => report.started(each),
    onFinish: (result) => report.finished(result),
  })
}

/** Strangers that were compared before these creations are not looked at again. */
const noteCompared = ({ session, client, run: { compared }, loaded: { declaration } }: Agreed): void => {
  if (compared === undefined) return
  const { known = [], compared: before = {} } = session.state
  const upTo = { ...before, ...compared.upTo }
  const now = client.serviceNow()
  const kept = stillToKnow(known, upTo, { definitions: kinds, declaration, now })
  if (Object.keys(compared.upTo).length > 0 || kept.length < known.length) session.compared(upTo, kept)
}

/** What events told nothing of is not looked for again in as many. */
const noteQuiet = ({ session, run }: Agreed): void => {
  const quiet = foundQuiet(kinds, session.state.resources, run)
  if (Object.keys(quiet).length > 0) session.quieted(quiet)
}

/**
 * After an apply of everything: declared changes that are not done have been pending since now, or since they were
 * first left undone. And the state knows which manifests belong together.
 */
const noteWhole = async (
  { io, session, client, loaded }: Agreed,
  results: readonly ChangeResult[],
): Promise<void> => {
  const left = results
    .filter(({ status, planned: { change } }) => status !== 'done' && isDifference(change))
    .map(({ planned: { change } }) => change.address)
  noteReached(session, new Date(client.serviceNow()).toISOString(), [...new Set(left)])
  noteFiles(session, await filesRead(io, loaded), left.length === 0)
}

const contextOf = (
  { io, options, client, session, again, run }: Agreed,
  ahead: IntentsAhead | undefined,
) => ({
  client,
  ledger: sessionLedger(session, ahead),
  definitions: kinds,
  planned: run.plan.planned,
  allowed: allowedBy(options),
  secret: options.local === true ? standInReader(secretReader(io)) : secretReader(io),
  watch: watchEvents(client, run),
  again,
})

/** Reevaluates the manifests with the current records, so that references to them have values. */
const planningAgain =
  ({ client, session, loaded, run }: Agreed): PlanAgain =>
  async (addresses) => {
    const records = session.state.resources
    const input = { loaded: await loaded.reevaluate(recordedIn(records)), records, globs: [...addresses] }
    return (await planRun(client, { ...input, look: 'for-plan', now: run.now })).plan.planned
  }

/** Results are reported in any case, so an error of saving is returned. */
const commit = (session: Session): Promise<DeploymgmtError | undefined> =>
  failureOf(async () => {
    if (session.dirty || session.exists) await session.commit()
  })

/**
 * The summary comes last. If all went well, it also reports a lock that could not be released; if the run was
 * stopped, what could still be recorded, and where the rest is.
 */
const closeSession = async (
  session: Session,
  results: readonly ChangeResult[],
  stopped: DeploymgmtError | undefined,
): Promise<DeploymgmtError[]> => {
  const endsHere = stopped !== undefined || exitCodeOf(results) === 0
  const closing = endsHere ? await failureOf(() => session.close()) : undefined
  // The message about the rescue file includes the reason.
  const isSaid = session.rescuedTo !== undefined && stopped instanceof LedgerError
  return [isSaid ? undefined : stopped, closing].filter((each) => each !== undefined)
}

/** Held answers are recorded with the next save, so only after it is it known whether they were. */
const asRecorded = (results: readonly ChangeResult[], session: Session): ChangeResult[] => {
  const unsaved = session.unsaved
  return results.map((result) => {
    if (result.status !== 'done' && result.status !== 'unsaved') return result
    const plain = omit(result, 'id')
    if (!unsaved.has(result.planned.change.address)) return { ...plain, status: 'done' }
    // A rescue file has the ids, and many things can have the same few words.
    return session.rescuedTo === undefined
      ? asUnsaved(result, session.state.resources)
      : { ...plain, status: 'unsaved' }
  })
}

const failureOf = async (act: () => Promise<void>): Promise<DeploymgmtError | undefined> => {
  try {
    await act()
    return undefined
  } catch (error) {
    return asOurs(error)
  }
}
