import { fillSentence, manifestSpelling } from '@deploymgmt/provider/core'
import {
  AlreadyExistsError,
  AuthRejectedError,
  CancelledError,
  DeploymgmtError,
  RequestError,
} from '@deploymgmt/provider/errors'
import {
  carryOut,
  foreseen,
  reason,
  type Need,
  type PlannedChange,
  type WriteContext,
} from '@deploymgmt/provider/engine'
import type { IntentsAhead } from './intents-ahead.ts'
import { asUnsaved, skipped, type ChangeResult } from './result.ts'
import { ChangeLedger } from './change-ledger.ts'
import { applyWaiting, type PlanAgain } from './waiting.ts'
import { asOurs, InternalError, LedgerError } from '../errors/index.ts'

interface PlanToApply {
  readonly context: WriteContext
  readonly planned: readonly PlannedChange[]
  readonly planAgain: PlanAgain
  /** Concurrent writes. */
  readonly concurrency: number
  /** Set if one append of the ledger should cover many writes. */
  readonly ahead?: IntentsAhead
  /** Stops dispatching; requests in flight are awaited and recorded. */
  readonly signal: AbortSignal
  /** The error for a change whose answer has shown that flags are missing. */
  readonly refuse: (needs: readonly Need[]) => DeploymgmtError
  readonly onStart: (planned: PlannedChange) => void
  readonly onFinish: (result: ChangeResult) => void
}

export interface Applied {
  readonly results: readonly ChangeResult[]
  /** Why the apply stopped: the ledger could not write, or there was an internal error. */
  readonly failure?: DeploymgmtError
}

/**
 * Carries out a plan in waves: changes without a request; creations and updates; deletions; changes that had to wait
 * for these; and releases, because a thing is released only once its replacement exists. Changes that may take
 * rights from the calling key come last, because all others need them, together with what waits for them. A failed
 * change stops only itself; refused credentials, and a ledger that cannot write, stop everything.
 */
export const applyPlan = async (options: PlanToApply): Promise<Applied> => {
  const { ahead } = options
  const results: ChangeResult[] = []
  const lost = new Set<string>()
  const halt = new Halt()
  const stopped = AbortSignal.any([options.signal, halt.signal])
  const settle = (result: ChangeResult): void => {
    results.push(result)
    if (result.status === 'unknown' && result.planned.work.do === 'create')
      lost.add(result.planned.change.kind)
    if (result.planned.work.do !== 'keep' || result.planned.change.action === 'blocked')
      options.onFinish(result)
    if (result.error instanceof AuthRejectedError) halt.abort()
  }
  const carryOutWave = async (wave: readonly PlannedChange[]): Promise<void> => {
    const queue = wave.entries()
    // All workers share one iterator, so that no change is taken twice.
    const work = async (): Promise<void> => {
      for (const [index, planned] of queue)
        if (stopped.aborted) settle(skipped(planned, reason('not-begun')))
        else if (isHeldBack(planned, lost)) settle(skipped(planned, reason('held-back')))
        else settle(await carryOutOne({ wave, index, planned }, options, halt))
    }
    await Promise.all(Array.from({ length: Math.max(1, options.concurrency) }, work))
    await ahead?.end().catch((error: unknown) => halt.fail(worded(error)))
  }
  const { atOnce, waiting, releases, own, afterOwn } = wavesOf(options)
  const { planAgain } = options
  const failed = (one: PlannedChange, error: unknown): ChangeResult => failedBy(one, halt.by(error))
  const context = { planAgain, stopped, failed, results, settle, carryOutWave }
  for (const wave of atOnce) await carryOutWave(wave)
  await applyWaiting(waiting, context)
  for (const wave of [releases, own]) await carryOutWave(wave)
  await applyWaiting(afterOwn, context)
  return { results, ...(halt.failure === undefined ? {} : { failure: halt.failure }) }
}

/** Stops dispatching for all workers. Keeps the first failure of the run as a whole. */
class Halt extends AbortController {
  failure: DeploymgmtError | undefined

  fail(error: DeploymgmtError): void {
    this.failure ??= error
    this.abort()
  }

  /** Puts an error into words, and stops if it is not about a single change. */
  by(error: unknown): DeploymgmtError {
    const ours = worded(error)
    if (ours instanceof LedgerError || ours instanceof InternalError) this.fail(ours)
    return ours
  }
}

interface Waves {
  readonly atOnce: readonly (readonly PlannedChange[])[]
  readonly waiting: readonly PlannedChange[]
  readonly releases: readonly PlannedChange[]
  /** Changes that may take rights from the calling key, then what waits for them. */
  readonly own: readonly PlannedChange[]
  readonly afterOwn: readonly PlannedChange[]
}

const wavesOf = ({ planned, context: { allowed } }: PlanToApply): Waves => {
  const isOwn = ({ takesFromCaller: need, work }: PlannedChange): boolean =>
    need !== undefined &&
    (allowed.has(need.flag) ||
      ('instance' in work && work.instance.entry.allow?.includes(need.flag) === true))
  const { ready = [], waits = [] } = Object.groupBy(planned, ({ change }) =>
    change.waitsFor === undefined ? 'ready' : 'waits',
  )
  const own = ready.filter(isOwn)
  const afterOwn = dependentsOf(own, waits.filter(isOwn), waits)
  const doing = (...what: PlannedChange['work']['do'][]): PlannedChange[] =>
    ready.filter((each) => what.includes(each.work.do) && !isOwn(each))
  return {
    atOnce: [doing('keep', 'move'), doing('create', 'write', 'record'), doing('delete')],
    waiting: waits.filter((each) => !afterOwn.has(each)),
    releases: doing('release', 'drop'),
    own,
    afterOwn: [...afterOwn],
  }
}

/** `first`, and all of `waits` that depend on one of them or on an address of `before`, transitively. */
const dependentsOf = (
  before: readonly PlannedChange[],
  first: readonly PlannedChange[],
  waits: readonly PlannedChange[],
): ReadonlySet<PlannedChange> => {
  const found = new Set(first)
  const addresses = new Set([...before, ...first].map(({ change }) => change.address))
  // A change that was just found can have dependents of its own.
  for (let size = -1; size < found.size;) {
    size = found.size
    for (const each of waits) {
      if (!each.change.waitsFor?.some((address) => addresses.has(address))) continue
      found.add(each)
      addresses.add(each.change.address)
    }
  }
  return found
}

/**
 * A record is not released while a creation of its kind is unknown, that is, while the kind is in `lost`: an id from
 * events could then be taken for the id of the new thing.
 */
const isHeldBack = ({ work, change }: PlannedChange, lost: ReadonlySet<string>): boolean =>
  (work.do === 'release' || work.do === 'drop') && lost.has(change.kind)

/** A change and its position in its wave. */
interface Turn {
  readonly planned: PlannedChange
  readonly wave: readonly PlannedChange[]
  readonly index: number
}

const carryOutOne = async (
  { planned, wave, index }: Turn,
  options: PlanToApply,
  halt: Halt,
): Promise<ChangeResult> => {
  const { ahead, context, onStart } = options
  const ledger = new ChangeLedger(context.ledger)
  if (planned.work.do !== 'keep') onStart(planned)
  try {
    ahead?.reach(wave, index, (each) => foreseen(each, context))
    const outcome = await carryOut(planned, { ...context, ledger })
    if (outcome.status === 'not-allowed')
      return { planned, status: 'failed', notes: [], error: options.refuse(outcome.needs) }
    const { status, notes, blocks } = outcome
    const said = [...notes, ...blocks.map(({ note }) => note)]
    // Nothing is sent for a blocked change, but the settings of its entry are recorded.
    if (planned.change.action === 'blocked') return { planned, status: 'blocked', notes: said }
    const result: ChangeResult = { planned, status, notes: said }
    const isUnsaved = status === 'done' && ledger.failure !== undefined
    return isUnsaved ? asUnsaved(result, ledger.records) : result
  } catch (error) {
    const ours = halt.by(error)
    if (ours instanceof LedgerError && !ledger.hasRecorded) return skipped(planned, reason('not-sent'))
    return failedBy(planned, ours, ledger)
  } finally {
    if (ledger.failure !== undefined) halt.fail(ledger.failure)
    ahead?.ended(planned)
  }
}

/** What an interrupt kept from leaving has not failed; writes in flight are awaited, so none of them is cancelled. */
const failedBy = (planned: PlannedChange, error: DeploymgmtError, told?: ChangeLedger): ChangeResult => {
  if (error instanceof CancelledError)
    return skipped(
      planned,
      told?.hasRecorded === true ? reason('interrupted-between') : reason('interrupted'),
    )
  const unknown = error instanceof RequestError && error.outcome === 'unknown'
  return { planned, status: unknown ? 'unknown' : 'failed', notes: [], error }
}

const worded = (error: unknown): DeploymgmtError => {
  if (error instanceof AlreadyExistsError)
    return error.advised(fillSentence(error.advice, {}, manifestSpelling()))
  return asOurs(error)
}
