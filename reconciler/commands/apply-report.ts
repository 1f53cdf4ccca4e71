import type { Change, PlannedChange } from '@deploymgmt/provider/engine'
import type { Words } from '@deploymgmt/provider/words'
import { canStillHappen } from '../apply/ledger.ts'
import type { ChangeResult } from '../apply/result.ts'
import { print, type Io } from '../io.ts'
import { alike } from '../render/alike.ts'
import type { ApplyEvent } from '../render/apply-events.ts'
import type { PlanDocument } from '../render/document.ts'
import { formatOf, rendererOf } from '../render/formats.ts'
import { renderPlan } from '../render/plan-text.ts'
import type { PlanHead } from '../render/reports.ts'
import { createProgress, type Progress } from '../text/progress.ts'
import type { OpenIntent } from '../state/index.ts'
import { finishedEvent, summaryOf, type ApplyEnd } from './apply-summary.ts'
import { sameFlagsOf, type CommonOptions } from './options.ts'
import { styleOf } from './report.ts'

export interface ApplyReport {
  /** Shows the plan; to whoever is about to be asked, in any case. */
  plan(options: { readonly asks: boolean }): Promise<void>
  started(planned: PlannedChange): void
  finished(result: ChangeResult): void
  /** Nothing more is carried out: tells what had no line of its own. */
  ran(): void
  /** Prints the end, and answers the exit code. */
  summary(results: readonly ChangeResult[], end: ApplyEnd): Promise<number>
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
  const progress = progressOn(io, streams || options.quiet === true)
  const count = counting(progress, document, started)
  const folded = alike(aside, document.changes)
  const tell = (event: ApplyEvent): void => {
    const line = render({ document: event }, streams ? style : aside)
    if (line === undefined) return
    if (streams) io.stdout.write(`${line}\n`)
    else if (folded.isShown(event)) progress.line(line)
  }
  const facts = () => ({ now: io.now(), sameFlags: sameFlagsOf(options), words, until: untilIn(unknown, io) })
  return {
    async plan({ asks }) {
      const shows = format?.for === 'person' && options.quiet !== true
      const said = { document, head: { title: 'apply', ...head } }
      if (shows) await print(io.stdout, renderPlan(said, style))
      // Nobody agrees to what goes to a file, or nowhere.
      if (asks && !(shows && io.stdout.isTTY === true)) await print(io.stderr, renderPlan(said, aside))
    },
    started({ change }) {
      tell({ type: 'started', address: change.address, action: change.action, at: io.now().toISOString() })
      count.begun(change)
    },
    finished(result) {
      tell(finishedEvent(result, facts()))
      count.ended(result)
    },
    ran() {
      progress.finish()
      for (const line of folded.rest()) progress.line(line)
    },
    async summary(results, end) {
      const seconds = (io.now().getTime() - started.getTime()) / 1000
      const strict = options.strict === true
      const summary = summaryOf(results, { document, seconds, strict, ...end, ...facts() })
      await print(io.stdout, render({ document: summary }, style) ?? '')
      return summary.exitCode
    },
  }
}

const progressOn = ({ stderr }: Io, quiet: boolean): Progress =>
  createProgress({
    write: (text) => stderr.write(text),
    isTTY: stderr.isTTY === true,
    width: stderr.columns ?? 80,
    quiet,
  })

/** Keeps the progress line at what is done, and what is under way. */
const counting = (progress: Progress, { changes }: PlanDocument, started: Date) => {
  const total = changes.filter(({ action }) => action !== 'unchanged' && action !== 'blocked').length
  const flight = new Set<string>()
  let done = 0
  const update = (change: Change): void =>
    progress.update({
      done,
      total,
      current: currentOf(change),
      inFlight: flight.size,
      startedAt: started.getTime(),
    })
  return {
    begun(change: Change): void {
      flight.add(change.address)
      update(change)
    },
    ended({ planned: { change, work }, status }: ChangeResult): void {
      flight.delete(change.address)
      if (status !== 'blocked' || work.do !== 'keep') done += 1
      update(change)
    },
  }
}

/** Until when a creation of unknown outcome at an address can still take effect. */
const untilIn =
  (unknown: ApplyHead['unknown'], io: Io) =>
  (address: string): string | undefined => {
    const creation = unknown().find((each) => each.address === address && each.method === 'POST')
    return creation && canStillHappen(creation, io.now())
  }

const currentOf = ({ requests, address }: Change): string => `${requests[0]?.method ?? ''} ${address}`.trim()
