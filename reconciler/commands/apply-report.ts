import { countBy } from '@deploymgmt/provider/core'
import { isUnverifiable, type Change, type PlannedChange } from '@deploymgmt/provider/engine'
import type { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { Words } from '@deploymgmt/provider/words'
import { canStillHappen } from '../apply/ledger.ts'
import { exitCodeOf, type ChangeResult } from '../apply/result.ts'
import { print, type Io } from '../io.ts'
import type { ApplyEvent, ApplyFinished, ApplySummary, BlockedThing } from '../render/apply-events.ts'
import type { PlanDocument } from '../render/document.ts'
import { sayError } from '../render/failure.ts'
import { formatOf, rendererOf } from '../render/formats.ts'
import { renderPlan } from '../render/plan-text.ts'
import type { PlanHead } from '../render/reports.ts'
import { resolveCommands } from '../render/resolve-commands.ts'
import { createProgress } from '../text/progress.ts'
import type { OpenIntent } from '../state/index.ts'
import { sameFlagsOf, type CommonOptions } from './options.ts'
import { PLAIN, styleOf } from './report.ts'

export interface ApplyReport {
  /** Shows the plan; to whoever is about to be asked, in any case. */
  plan(options: { readonly asks: boolean }): Promise<void>
  started(planned: PlannedChange): void
  finished(result: ChangeResult): void
  /** Prints the end, and answers the exit code. */
  summary(results: readonly ChangeResult[], end: ApplyEnd): Promise<number>
}

interface ApplyEnd {
  readonly requestsSent: number
  readonly targeted: boolean
  /** Stopped by a signal: everything in flight is recorded, and something may be left undone. */
  readonly interrupted: boolean
  /** What made the run stop as a whole. */
  readonly error?: DeploymgmtError
}

interface ApplyHead {
  readonly document: PlanDocument
  readonly words: Words
  readonly head: Omit<PlanHead, 'title'>
  readonly started: Date
  readonly names: ReadonlyMap<string, string>
  /** What is of unknown outcome by now. */
  readonly unknown: () => readonly OpenIntent[]
}

/** What a person or a machine is told while an apply runs. */
export const applyReport = async (
  io: Io,
  options: CommonOptions,
  { document, words, head, started, names, unknown }: ApplyHead,
): Promise<ApplyReport> => {
  const format = formatOf('apply', options.format)
  const streams = format?.streams === true
  const style = styleOf(io, options, names)
  // What is said on the way, and what is asked about where stdout leads elsewhere.
  const { output: _, ...others } = options
  const aside = styleOf({ ...io, stdout: io.stderr }, others, names)
  const render = await rendererOf('apply', options.format)
  const total = document.changes.filter(({ action }) => action !== 'unchanged' && action !== 'blocked').length
  const flight = new Set<string>()
  const until = (address: string): string | undefined => {
    const creation = unknown().find((each) => each.address === address && each.method === 'POST')
    return creation && canStillHappen(creation, io.now())
  }
  let done = 0
  const { stderr } = io
  const progress = createProgress({
    write: (text) => stderr.write(text),
    isTTY: stderr.isTTY === true,
    width: stderr.columns ?? 80,
    quiet: options.quiet === true || streams,
  })
  const tell = (event: ApplyEvent): void => {
    const line = render({ document: event }, streams ? style : aside)
    if (line === undefined) return
    if (streams) io.stdout.write(`${line}\n`)
    else progress.line(line)
  }
  const update = (current: string): void => {
    progress.update({
      done,
      total,
      current,
      inFlight: flight.size,
      startedAt: started.getTime(),
    })
  }
  return {
    async plan({ asks }) {
      const shows = format?.for === 'person' && options.quiet !== true
      const said = { document, head: { title: 'apply', ...head } }
      if (shows) await print(io.stdout, renderPlan(said, style))
      // Nobody agrees to what goes to a file, or nowhere.
      if (asks && !(shows && io.stdout.isTTY === true)) await print(io.stderr, renderPlan(said, aside))
    },
    started({ change }) {
      flight.add(change.address)
      tell({ type: 'started', address: change.address, action: change.action, at: io.now().toISOString() })
      update(currentOf(change))
    },
    finished(result) {
      const { change } = result.planned
      flight.delete(change.address)
      if (result.status !== 'blocked' || result.planned.work.do !== 'keep') done += 1
      tell(finishedEvent(result, { now: io.now(), sameFlags: sameFlagsOf(options), words, until }))
      update(currentOf(change))
    },
    async summary(results, end) {
      progress.finish()
      const summary = summaryOf(results, {
        document,
        seconds: (io.now().getTime() - started.getTime()) / 1000,
        ...end,
        strict: options.strict === true,
        now: io.now(),
        sameFlags: sameFlagsOf(options),
        words,
        until,
      })
      await print(io.stdout, render({ document: summary }, style) ?? '')
      return summary.exitCode
    },
  }
}

const currentOf = ({ requests, address }: Change): string => `${requests[0]?.method ?? ''} ${address}`.trim()

const finishedEvent = (
  result: ChangeResult,
  input: Pick<SummaryInput, 'now' | 'sameFlags' | 'words' | 'until'>,
): ApplyFinished => {
  const { planned, status, notes, error } = result
  return {
    type: 'finished',
    address: planned.change.address,
    action: planned.change.action,
    status,
    notes: notes.map(input.words.whole),
    ...(error === undefined ? {} : { error: sayError(error) }),
    ...(status === 'unknown' ? resolveOf(planned, input) : {}),
    at: input.now.toISOString(),
  }
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

const NONE_BY_STATUS = { done: 0, blocked: 0, failed: 0, unknown: 0, expired: 0, skipped: 0 }

/** What is told where data goes of an apply that was refused as a whole: whoever reads events finds a summary. */
export const refusalAs = async (
  name: string,
  error: DeploymgmtError,
  seconds: number,
): Promise<string | undefined> => {
  if (formatOf('apply', name)?.for !== 'machine') return undefined
  const render = await rendererOf('apply', name)
  return render({ document: refusedSummary(error, seconds) }, PLAIN)
}

const refusedSummary = (error: DeploymgmtError, seconds: number): ApplySummary => ({
  type: 'summary',
  formatVersion: 1,
  inSync: false,
  byStatus: NONE_BY_STATUS,
  done: {},
  unchanged: 0,
  blocked: [],
  unverifiable: [],
  problems: [],
  warnings: [],
  requestsSent: 0,
  seconds,
  exitCode: error.exitCode,
  error: sayError(error),
})

interface SummaryInput extends ApplyEnd {
  readonly document: PlanDocument
  readonly seconds: number
  readonly strict: boolean
  readonly now: Date
  readonly sameFlags: string
  readonly words: Words
  readonly until: (address: string) => string | undefined
}

const summaryOf = (results: readonly ChangeResult[], input: SummaryInput): ApplySummary => {
  const done = results.filter((result) => result.status === 'done' && isWork(result))
  const blocked = results.filter(({ status }) => status === 'blocked')
  const unverifiable = input.document.changes.filter(isUnverifiable)
  const { error } = input
  const ended = exitCodeOf(results)
  const code = error === undefined || ended === 3 ? ended : 1
  const strictly = code === 0 && input.strict && unverifiable.length > 0 ? 2 : code
  // What is unknown has to be resolved, whatever made the run stop.
  const exitCode = input.interrupted && code !== 3 ? 130 : strictly
  return {
    type: 'summary',
    formatVersion: 1,
    inSync: code === 0 && !input.targeted && !input.interrupted,
    byStatus: { ...NONE_BY_STATUS, ...countBy(results.filter(isWork), ({ status }) => status) },
    done: countBy(done, ({ planned }) => planned.change.action),
    unchanged: input.document.summary.unchanged,
    blocked: blocked.map((result) => blockedThing(result, input.words)),
    unverifiable: unverifiable.map(({ address, evidence }) => ({ address, evidence })),
    problems: results
      .filter(({ status }) => status === 'failed' || status === 'unknown' || status === 'skipped')
      .map((result) => finishedEvent(result, input)),
    warnings: input.document.warnings,
    requestsSent: input.requestsSent,
    seconds: input.seconds,
    exitCode,
    ...(error === undefined ? {} : { error: sayError(error) }),
  }
}

const blockedThing = ({ planned: { change }, notes }: ChangeResult, words: Words): BlockedThing => {
  const { address, action, reason } = change
  const reasons = action === 'blocked' ? [reason] : notes
  const steps = reasons.map(words.step).filter((step) => step !== undefined)
  return {
    address,
    reason: reasons.map(words.says).join('; '),
    ...(steps.length === 0 ? {} : { byHand: [...new Set(steps)].join(' ') }),
  }
}

const isWork = ({ planned }: ChangeResult): boolean =>
  planned.work.do !== 'keep' || planned.change.action === 'blocked'
