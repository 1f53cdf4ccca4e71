import { countBy } from '@deploymgmt/provider/core'
import { isUnverifiable, reason, type PlannedChange, type Reason } from '@deploymgmt/provider/engine'
import { INTERRUPTED, type DeploymgmtError } from '@deploymgmt/provider/errors'
import { isCheck, type Words } from '@deploymgmt/provider/words'
import { exitCodeOf, type ChangeResult, type ChangeStatus } from '../../apply/result.ts'
import type { ApplyFinished, ApplySummary, BlockedThing } from '../../render/document/apply-events.ts'
import type { PlanDocument } from '../../render/document/plan-model.ts'
import { isWrite, turnedOffIn, waysOf } from '../../render/wording/effects.ts'
import { sayError } from '../../render/document/failure.ts'
import { formatOf, rendererOf } from '../../render/formats.ts'
import { naming } from '../../render/document/named-commands.ts'
import { resolveCommands } from '../../render/wording/resolve-commands.ts'
import { PLAIN } from '../output/report.ts'

export interface ApplyEnd {
  readonly requestsSent: number
  readonly targeted: boolean
  /** Stopped by a signal: everything in flight is recorded, and some changes may not be done. */
  readonly interrupted: boolean
  /** The error that stopped the run as a whole. */
  readonly error?: DeploymgmtError
}

export interface SummaryInput extends ApplyEnd {
  readonly document: PlanDocument
  readonly seconds: number
  readonly strict: boolean
  readonly now: Date
  readonly sameFlags: string
  readonly words: Words
  readonly warnings: readonly string[]
  readonly until: (address: string) => string | undefined
}

const NONE_BY_STATUS = { done: 0, unsaved: 0, blocked: 0, failed: 0, unknown: 0, expired: 0, skipped: 0 }

const PROBLEMS: readonly ChangeStatus[] = ['failed', 'unknown', 'skipped', 'unsaved']

/** The event for a change that has ended. */
export const finishedEvent = (
  result: ChangeResult,
  input: Pick<SummaryInput, 'now' | 'sameFlags' | 'words' | 'until'>,
): ApplyFinished => {
  const { planned, status, notes, error } = result
  return {
    type: 'finished',
    address: planned.change.address,
    action: planned.change.action,
    status,
    ...(status === 'done' && isWrite(planned.change) ? { written: true } : {}),
    ...(planned.change.onRemove === undefined ? {} : { onRemove: planned.change.onRemove }),
    notes: [...notes, ...(status === 'unsaved' ? [unsavedOf(result)] : [])].map((note) =>
      naming(input.words.whole(note), planned.change.address),
    ),
    ...(error === undefined ? {} : { error: sayError(error) }),
    ...(status === 'unknown' ? resolveOf(planned, input) : {}),
    at: input.now.toISOString(),
  }
}

const unsavedOf = ({ planned: { change }, id }: ChangeResult): Reason => {
  if (!isWrite(change)) return reason('unsaved')
  return id === undefined ? reason('answer-unsaved') : reason('created-unsaved', { id })
}

const resolveOf = (
  { change: { address }, work }: PlannedChange,
  { sameFlags, until: untilOf }: Pick<SummaryInput, 'sameFlags' | 'until'>,
): Pick<ApplyFinished, 'resolve' | 'until'> => {
  const until = untilOf(address)
  return {
    resolve: resolveCommands(address, { wasCreation: work.do === 'create', until }, sameFlags),
    ...(until === undefined ? {} : { until }),
  }
}

/** The stdout of an apply that was refused as a whole: readers of its events always find a summary. */
export const refusalAs = async (
  name: string,
  error: DeploymgmtError,
  cost: RefusalCost,
): Promise<string | undefined> => {
  if (formatOf('apply', name)?.for !== 'machine') return undefined
  const render = await rendererOf('apply', name)
  return render({ document: refusedSummary(error, cost) }, PLAIN)
}

type RefusalCost = Pick<ApplySummary, 'requestsSent' | 'seconds'>

const refusedSummary = (error: DeploymgmtError, { requestsSent, seconds }: RefusalCost): ApplySummary => ({
  type: 'summary',
  formatVersion: 1,
  inSync: false,
  byStatus: NONE_BY_STATUS,
  done: {},
  written: {},
  unchanged: 0,
  blocked: [],
  unverifiable: [],
  problems: [],
  warnings: [],
  requestsSent,
  seconds,
  exitCode: error.exitCode,
  error: sayError(error),
})

/** The summary, with the exit code. */
export const summaryOf = (results: readonly ChangeResult[], input: SummaryInput): ApplySummary => {
  const done = results.filter((result) => result.status === 'done' && isWork(result))
  const released = waysOf(done.map(({ planned }) => planned.change))
  const written = done.map(({ planned }) => planned.change).filter(isWrite)
  const turnedOff = turnedOffIn(written)
  const blocked = results.filter(({ status }) => status === 'blocked')
  const unverifiable = input.document.changes.filter(isUnverifiable)
  const { error } = input
  const code = codeOf(results, error)
  return {
    type: 'summary',
    formatVersion: 1,
    inSync: code === 0 && !input.targeted && !input.interrupted,
    byStatus: { ...NONE_BY_STATUS, ...countBy(results.filter(isWork), ({ status }) => status) },
    done: countBy(done, ({ planned }) => planned.change.action),
    written: countBy(written, ({ action }) => action),
    ...(Object.keys(released).length === 0 ? {} : { released }),
    ...(Object.keys(turnedOff).length === 0 ? {} : { turnedOff }),
    unchanged: input.document.summary.unchanged,
    blocked: blocked.map((result) => blockedThing(result, input.words)),
    unverifiable: unverifiable.map(({ address, evidence }) => ({ address, evidence })),
    problems: results
      .filter(({ status }) => PROBLEMS.includes(status))
      .map((result) => finishedEvent(result, input)),
    warnings: input.warnings,
    ...(input.document.strangers === undefined ? {} : { strangers: input.document.strangers }),
    requestsSent: input.requestsSent,
    seconds: input.seconds,
    exitCode: exitCodeIn(code, unverifiable.length > 0, input),
    ...(error === undefined ? {} : { error: sayError(error) }),
  }
}

/** Unknown outcomes must be resolved, whatever stopped the run. */
const codeOf = (results: readonly ChangeResult[], error: DeploymgmtError | undefined): number => {
  const ended = exitCodeOf(results)
  return error === undefined || ended === 3 ? ended : 1
}

/** If something could not be recorded, `INTERRUPTED` would say too much. */
const exitCodeIn = (
  code: number,
  isInDoubt: boolean,
  { interrupted, strict, error }: Pick<SummaryInput, 'interrupted' | 'strict' | 'error'>,
): number => {
  if (code === 3) return code
  if (interrupted && error === undefined) return INTERRUPTED
  return code === 0 && strict && isInDoubt ? 2 : code
}

const blockedThing = ({ planned: { change }, notes }: ChangeResult, words: Words): BlockedThing => {
  const { address, action } = change
  const all = action === 'blocked' ? [change.reason, ...(change.notes ?? []).filter(isCheck)] : notes
  const reasons = all.filter((each) => !isCheck(each))
  const first = all.filter(isCheck).map(words.sentence)
  const steps = reasons.flatMap((each) => {
    const step = words.step(each)
    return step === undefined ? [] : [naming(step, address)]
  })
  return {
    address,
    reason: naming(reasons.map(words.says).join('; '), address),
    ...(steps.length === 0 ? {} : { byHand: [...first, ...new Set(steps)].join(' ') }),
  }
}

const isWork = ({ planned }: ChangeResult): boolean =>
  planned.work.do !== 'keep' || planned.change.action === 'blocked'
