import { resolve } from 'node:path'
import type { Client } from '@deploymgmt/provider/api'
import { DeploymgmtError, GuardError } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  secretsOf,
  type Change,
  type Need,
  type PlannedChange,
  type Run,
  type WriteSpan,
} from '@deploymgmt/provider/engine'
import type { Words } from '@deploymgmt/provider/words'
import { applyPlan } from '../apply/apply.ts'
import type { LoadedDeclaration, ReadData } from '../config/index.ts'
import { InternalError, NotConfirmedError, StateMissingError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import { print } from '../io.ts'
import { readPlanFile } from '../plan-file/file.ts'
import type { SavedPlan } from '../plan-file/shape.ts'
import { refuseOtherThanSaved, refuseOtherThanShown, refuseStale } from '../plan-file/stale.ts'
import { proveSecrets, secretReader } from '../apply/secrets.ts'
import { sessionLedger } from '../apply/ledger.ts'
import { openSession, type Session } from '../state/index.ts'
import { refuseEmptyTarget } from './target.ts'
import { commandWords, planDocument, sayNeeds, toJsonLine, type PlanDocument } from '../render/index.ts'
import { againFlags } from './again.ts'
import { applyReport, refusedSummary, type ApplyReport } from './apply-report.ts'
import { confirm } from './confirm.ts'
import type { Connection } from './connection.ts'
import {
  allowedBy,
  DEFAULT_STATE,
  refuseBesidePlan,
  type AllowOptions,
  type CommonOptions,
} from './options.ts'
import { planRun } from './plan-run.ts'
import { headOf } from './style.ts'
import { withClient } from './with-client.ts'
import { withOutput } from './with-output.ts'
import {
  addressesIn,
  dataReader,
  loadWithState,
  recordedIn,
  settleOrStop,
  statePathOf,
  stateFileOf,
} from './workspace.ts'
import { withNotices } from './plan.ts'

export interface ApplyOptions extends CommonOptions, AllowOptions {
  readonly autoApprove?: boolean
}

/** Plans, shows, asks, applies. The first interrupt stops dispatching and records what is in flight. */
export const apply = (io: Io, given: ApplyOptions, planFile?: string): Promise<number> =>
  withOutput(io, given, (into) => applyInto(into, given, planFile))

const applyInto = async (io: Io, given: ApplyOptions, planFile?: string): Promise<number> => {
  if (planFile !== undefined) refuseBesidePlan(given)
  const saved = planFile === undefined ? undefined : await readPlanFile(resolve(io.cwd, planFile), planFile)
  if (saved?.warning !== undefined) await print(io.stderr, saved.warning)
  const options = saved === undefined ? given : { ...given, ...meantBy(saved.plan, given) }
  const started = io.now().getTime()
  const interrupt = new AbortController()
  let interrupts = 0
  const stopListening = io.onInterrupt(() => {
    interrupts += 1
    // The second one is as a crash: the journal knows what was in flight.
    if (interrupts > 1) process.exit(130)
    io.stderr.write(
      '\nStopping: nothing more is sent, what is in flight is awaited and recorded. Once more to stop at once.\n',
    )
    interrupt.abort()
  })
  try {
    return await withClient(io, { ...options, signal: interrupt.signal }, (client, connection) =>
      new ApplyRun(io, options, client, connection, interrupt.signal).execute(saved?.plan),
    )
  } catch (error) {
    const ours = error instanceof DeploymgmtError ? error : new InternalError(error)
    if (options.format === 'json')
      await print(
        io.stdout,
        toJsonLine(refusedSummary(ours, (io.now().getTime() - started) / 1000)).trimEnd(),
      )
    if (!(interrupt.signal.aborted && error instanceof NotConfirmedError)) throw error
    await print(io.stderr, error.describe())
    return 130
  } finally {
    stopListening()
  }
}

/** A saved plan knows its manifests, variables, targets and state; another state can be named all the same. */
const meantBy = ({ files, vars, target, stateFile }: SavedPlan, given: ApplyOptions) => ({
  file: files,
  var: vars,
  target,
  state: given.state === DEFAULT_STATE ? (stateFile ?? DEFAULT_STATE) : given.state,
})

/** One apply, from the lock to the last line. */
class ApplyRun {
  readonly #io: Io
  readonly #options: ApplyOptions
  readonly #client: Client
  readonly #connection: Connection
  readonly #signal: AbortSignal
  readonly #started: Date
  /** What begins anew since its answer was lost. */
  readonly #lost = new Map<string, WriteSpan>()
  readonly #readData: ReadData

  constructor(io: Io, options: ApplyOptions, client: Client, connection: Connection, signal: AbortSignal) {
    this.#io = io
    this.#options = options
    this.#client = client
    this.#connection = connection
    this.#signal = signal
    this.#started = io.now()
    this.#readData = dataReader(client)
  }

  async execute(saved: SavedPlan | undefined): Promise<number> {
    const statePath = statePathOf(this.#io, this.#options)
    const { baseUrl } = this.#connection
    const { loaded, session } = await loadWithState(this.#io, this.#options, this.#readData, (name) =>
      openSession({ statePath, expect: { name, baseUrl }, command: 'apply' }),
    )
    try {
      for (const notice of session.notices) await print(this.#io.stderr, notice)
      if (saved !== undefined)
        refuseStale(saved, { baseUrl, sources: loaded.sources, state: stateOf(session) })
      return await this.#planAndApply(session, loaded, saved)
    } finally {
      await session.close()
    }
  }

  async #planAndApply(
    session: Session,
    first: LoadedDeclaration,
    saved: SavedPlan | undefined,
  ): Promise<number> {
    const settled = await settleOrStop(
      session.unknown,
      session.state.resources,
      first,
      this.#client,
      againFlags(this.#options),
    )
    for (const { n, effects, how } of settled)
      await session.resolve(n, [...effects], commandWords().says(how))
    for (const { lost } of settled) if (lost !== undefined) this.#lost.set(lost.address, lost.span)
    const loaded = settled.length === 0 ? first : await first.again(recordedIn(session.state.resources))
    refuseEmptyTarget(this.#options.target, addressesIn(loaded.declaration, session.state.resources))
    let run = await this.#run(session, loaded, saved === undefined ? undefined : new Date(saved.now))
    const words = commandWords(loaded.declaration.projectNames)
    const document = this.#document(run, session, words)
    if (saved !== undefined) refuseOtherThanSaved(saved.document.changes, changesOf(run))
    if (saved !== undefined) await this.#noteVersion(saved)
    const report = applyReport(this.#io, this.#options, {
      document,
      words,
      head: {
        ...headOf(loaded.declaration, this.#started, this.#io),
        needs: sayNeeds(run.plan.needs, words),
      },
      started: this.#started,
      names: loaded.declaration.projectNames,
    })
    const asks = this.#options.autoApprove !== true && needsConsent(run.plan.planned)
    await report.plan({ asks: asks && this.#io.stdin.isTTY === true })
    this.#refuse(run, session)
    await proveSecrets(secretsOf(run.plan.planned), secretReader(this.#io.env))
    if (asks) {
      await this.#ask(document)
      run = await this.#readAgain(run, session, loaded)
    }
    return this.#carryOut(run, session, loaded, report)
  }

  /** What time alone changes after a plan was shown is nobody's change: the plan is made again as of then. */
  #run(session: Session, loaded: LoadedDeclaration, asOf?: Date): Promise<Run> {
    return planRun(this.#client, {
      loaded,
      records: session.state.resources,
      look: 'for-plan',
      globs: this.#options.target,
      ...(asOf === undefined ? {} : { now: asOf }),
    })
  }

  /** A service that was changed may do other things with the same requests. */
  async #noteVersion({ serviceVersion }: SavedPlan): Promise<void> {
    const now = this.#client.serviceVersion
    if (serviceVersion === undefined || now === undefined || serviceVersion === now) return
    await print(
      this.#io.stderr,
      `Warning: the plan was made with version ${serviceVersion} of the service, and it is ${now} now.`,
    )
  }

  #document(run: Run, session: Session, words: Words): PlanDocument {
    const { requestsSent } = this.#client
    const document = planDocument(run.plan, words, { requestsSent, all: this.#options.all === true })
    return withNotices(document, session.exists, this.#client.skewMs)
  }

  /** Refusals that come before anything is sent. */
  #refuse({ plan }: Run, session: Session): void {
    if (!session.exists && plan.planned.some(({ work }) => work.do === 'create'))
      throw new StateMissingError(
        'there is no state file, so that nothing is created: what an earlier run made could be made again',
        {
          where: stateFileOf(this.#options),
          hint: `If this is the first run, begin with: deploymgmt state init${againFlags(this.#options)}. If a state was lost, restore it first.`,
        },
      )
    const allowed = allowedBy(this.#options)
    const missing = plan.needs.filter(({ flag }) => !allowed.has(flag))
    if (missing.length > 0) throw refusalOf(missing)
  }

  async #ask(document: PlanDocument): Promise<void> {
    if (this.#io.stdin.isTTY !== true)
      throw new NotConfirmedError('there is no terminal to ask on, so that nothing was sent', {
        hint: NotConfirmedError.remedy,
      })
    const agreed = await confirm(
      this.#io,
      `Apply ${document.changes.length === 1 ? 'this change' : 'these changes'}? Only "yes" is accepted: `,
      this.#signal,
    )
    if (!agreed)
      throw new NotConfirmedError('not confirmed; nothing was sent', { hint: 'Answer yes to apply.' })
  }

  /** While a person was reading, someone else may have written: what is readable is read again first. */
  async #readAgain(shown: Run, session: Session, loaded: LoadedDeclaration): Promise<Run> {
    const fresh = await this.#run(session, loaded, shown.now)
    const allowOverwrite = this.#options.allowOverwrite === true
    refuseOtherThanShown(changesOf(shown), changesOf(fresh), { allowOverwrite })
    const { says } = commandWords(loaded.declaration.projectNames)
    const known = new Set(shown.plan.warnings.map(says))
    for (const warning of fresh.plan.warnings.map(says))
      if (!known.has(warning)) await print(this.#io.stderr, warning)
    this.#refuse(fresh, session)
    return fresh
  }

  async #carryOut(
    run: Run,
    session: Session,
    loaded: LoadedDeclaration,
    report: ApplyReport,
  ): Promise<number> {
    const { planned } = run.plan
    const context = {
      client: this.#client,
      ledger: sessionLedger(session),
      definitions: kinds,
      planned,
      allowed: allowedBy(this.#options),
      secret: secretReader(this.#io.env),
      lost: this.#lost,
    }
    const { results, failure } = await applyPlan({
      context,
      planned,
      planAgain: (addresses) => this.#planAgain([...addresses], session, loaded, run.now),
      concurrency: this.#options.concurrency,
      signal: this.#signal,
      refuse: refusalOf,
      onStart: (each) => report.started(each),
      onFinish: (result) => report.finished(result),
    })
    const error = failure ?? (await this.#commit(session))
    const code = await report.summary(results, {
      requestsSent: this.#client.requestsSent,
      unknown: session.unknown,
      targeted: run.plan.targeted,
      interrupted: this.#signal.aborted,
      ...(error === undefined ? {} : { error }),
    })
    if (error !== undefined) await print(this.#io.stderr, error.describe())
    return code
  }

  /** What was done is told in any case, so that a state that cannot be saved is one more thing to tell. */
  async #commit(session: Session): Promise<DeploymgmtError | undefined> {
    try {
      if (session.dirty || session.exists) await session.commit()
      return undefined
    } catch (error) {
      return error instanceof DeploymgmtError ? error : new InternalError(error)
    }
  }

  /** The same manifests with what is recorded by now: what referred to it has its values. */
  async #planAgain(
    globs: readonly string[],
    session: Session,
    loaded: LoadedDeclaration,
    now: Date,
  ): Promise<readonly PlannedChange[]> {
    const records = session.state.resources
    const again = await loaded.again(recordedIn(records))
    const { plan } = await planRun(this.#client, { loaded: again, records, look: 'for-plan', globs, now })
    return plan.planned
  }
}

const stateOf = (session: Session): SavedPlan['state'] => ({
  lineage: session.exists ? session.state.lineage : '',
  serial: session.state.serial,
  exists: session.exists,
})

const refusalOf = (needs: readonly Need[]): GuardError => new GuardError(sayNeeds(needs, commandWords()))

const changesOf = ({ plan }: Run): Change[] => plan.planned.map(({ change }) => change)

/** Keeping books of what was seen needs nobody's consent; everything else does. */
const needsConsent = (planned: readonly PlannedChange[]): boolean =>
  planned.some(({ work, change }) => work.do !== 'keep' && change.action !== 'expired')
