import { fillSentence, manifestSpelling } from '@deploymgmt/provider/core'
import {
  AlreadyExistsError,
  AuthRejectedError,
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
import type { Ahead } from './ahead.ts'
import { skipped, type ChangeResult } from './result.ts'
import { ToldLedger } from './told-ledger.ts'
import { applyWaiting, type PlanAgain } from './waiting.ts'
import { InternalError, LedgerError } from '../errors/index.ts'

export interface PlanToApply {
  readonly context: WriteContext
  readonly planned: readonly PlannedChange[]
  readonly planAgain: PlanAgain
  /** Writes under way at once. */
  readonly concurrency: number
  /** Where one append of the ledger is to serve many writes. */
  readonly ahead?: Ahead
  /** Stops dispatching; what is in flight is awaited and recorded. */
  readonly signal: AbortSignal
  /** The error of a change whose answer has shown that flags are missing. */
  readonly refuse: (needs: readonly Need[]) => DeploymgmtError
  readonly onStart: (planned: PlannedChange) => void
  readonly onFinish: (result: ChangeResult) => void
}

export interface Applied {
  readonly results: readonly ChangeResult[]
  /** Why nothing more was done: the ledger could not write, or a defect of ours. */
  readonly failure?: DeploymgmtError
}

/**
 * Carries out a plan in waves: what needs no request, what creates or changes, what deletes, what had to wait
 * for the former, and what releases, since a thing is released once what replaces it stands; and last what may take
 * rights from the calling key, which all others need, with what waits for that. A failed change stops itself alone; refused credentials, and a
 * ledger that cannot write, stop all.
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
    // Each worker takes the next change from the one iterator, so that none is taken twice.
    const work = async (): Promise<void> => {
      for (const [index, planned] of queue)
        settle(
          stopped.aborted
            ? skipped(planned, reason('not-begun'))
            : isHeldBack(planned, lost)
              ? skipped(planned, reason('held-back'))
              : await carryOutOne({ wave, index, planned }, options, halt),
        )
    }
    await Promise.all(Array.from({ length: Math.max(1, options.concurrency) }, work))
    await ahead?.end().catch((error: unknown) => halt.fail(worded(error)))
  }
  const { atOnce, waiting, releases, own, afterOwn } = wavesOf(options)
  const around = { planAgain: options.planAgain, stopped, results, settle, carryOutWave }
  for (const wave of atOnce) await carryOutWave(wave)
  await applyWaiting(waiting, around)
  for (const wave of [releases, own]) await carryOutWave(wave)
  await applyWaiting(afterOwn, around)
  return { results, ...(halt.failure === undefined ? {} : { failure: halt.failure }) }
}

/** Stops dispatching for all. The first failure of the run itself, and not of one change, is kept. */
class Halt extends AbortController {
  failure: DeploymgmtError | undefined

  fail(error: DeploymgmtError): void {
    this.failure ??= error
    this.abort()
  }
}

interface Waves {
  readonly atOnce: readonly (readonly PlannedChange[])[]
  readonly waiting: readonly PlannedChange[]
  readonly releases: readonly PlannedChange[]
  /** What may take from the calling key, and then what waits for that. */
  readonly own: readonly PlannedChange[]
  readonly afterOwn: readonly PlannedChange[]
}

const wavesOf = ({ planned, context: { allowed } }: PlanToApply): Waves => {
  const isOwn = ({ takesFromCaller: flag, work }: PlannedChange): boolean =>
    flag !== undefined &&
    (allowed.has(flag) || ('instance' in work && work.instance.entry.allow?.includes(flag) === true))
  const { ready = [], waits = [] } = Object.groupBy(planned, ({ change }) =>
    change.waitsFor === undefined ? 'ready' : 'waits',
  )
  const own = ready.filter(isOwn)
  const afterOwn = behind(own, waits.filter(isOwn), waits)
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

/** These of what waits, and what waits for one of them or for what comes before, over however many steps. */
const behind = (
  before: readonly PlannedChange[],
  first: readonly PlannedChange[],
  waits: readonly PlannedChange[],
): ReadonlySet<PlannedChange> => {
  const found = new Set(first)
  const addresses = new Set([...before, ...first].map(({ change }) => change.address))
  // What is found last can be waited for in turn.
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
 * A record is not let go of while a creation of its kind is unknown, so that the kind is among those `lost`: the id that
 * events name could then be taken for the new thing's.
 */
const isHeldBack = ({ work, change }: PlannedChange, lost: ReadonlySet<string>): boolean =>
  (work.do === 'release' || work.do === 'drop') && lost.has(change.kind)

/** A change, and where it stands among those of its wave. */
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
  const ledger = new ToldLedger(context.ledger)
  if (planned.work.do !== 'keep') onStart(planned)
  try {
    ahead?.reach(wave, index, (each) => foreseen(each, context))
    const { status, notes, blocks, needs = [] } = await carryOut(planned, { ...context, ledger })
    if (status === 'refused') return { planned, status: 'failed', notes, error: options.refuse(needs) }
    const said = [...notes, ...blocks.map(({ note }) => note)]
    // Nothing is sent for what is blocked; what its entry says of it is recorded all the same.
    if (planned.change.action === 'blocked') return { planned, status: 'blocked', notes: said }
    const isUnsaved = status === 'done' && ledger.failure !== undefined
    return { planned, status: isUnsaved ? 'unsaved' : status, notes: said }
  } catch (error) {
    const ours = worded(error)
    if (ours instanceof LedgerError || ours instanceof InternalError) halt.fail(ours)
    if (ours instanceof LedgerError && !ledger.hasTold) return skipped(planned, reason('not-sent'))
    const unknown = ours instanceof RequestError && ours.outcome === 'unknown'
    return { planned, status: unknown ? 'unknown' : 'failed', notes: [], error: ours }
  } finally {
    if (ledger.failure !== undefined) halt.fail(ledger.failure)
    ahead?.ended(planned)
  }
}

const worded = (error: unknown): DeploymgmtError => {
  if (error instanceof AlreadyExistsError)
    return error.advised(fillSentence(error.advice, {}, manifestSpelling()))
  return error instanceof DeploymgmtError ? error : new InternalError(error)
}
