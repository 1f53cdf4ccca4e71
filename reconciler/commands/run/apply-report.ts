import type { Client } from '@deploymgmt/provider/api'
import type { Change, PlannedChange } from '@deploymgmt/provider/engine'
import type { Words } from '@deploymgmt/provider/words'
import { canStillHappen } from '../../apply/intent-forms.ts'
import type { ChangeResult } from '../../apply/result.ts'
import { print, type Io } from '../../io.ts'
import { foldingOf } from '../../render/terminal/alike.ts'
import type { ApplyEvent } from '../../render/document/apply-events.ts'
import type { PlanDocument } from '../../render/document/plan-model.ts'
import { formatOf, rendererOf } from '../../render/formats.ts'
import { renderPlan } from '../../render/terminal/plan-text.ts'
import type { PlanHead, Renderer, ReportStyle } from '../../render/document/reports.ts'
import type { Progress } from '../../text/progress.ts'
import type { OpenIntent } from '../../state/index.ts'
import { lookingOften, progressOn, whyHeld } from '../output/live-line.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { styleOf, type StyleFacts } from '../output/report.ts'
import { finishedEvent, summaryOf, type ApplyEnd, type SummaryInput } from './apply-summary.ts'

export interface ApplyReport {
  /** Shows the plan; always if the person is about to be asked. */
  plan(options: { readonly asks: boolean }): Promise<void>
  started(planned: PlannedChange): void
  finished(result: ChangeResult): void
  /** Execution has ended: reports events that had no line of their own. */
  ran(): void
  /** Prints the summary, and returns the exit code. */
  summary(results: readonly ChangeResult[], end: ApplyEnd): Promise<number>
}

interface ApplyHead {
  readonly client: Pick<Client, 'held'>
  readonly document: PlanDocument
  readonly words: Words
  /** Words and warnings of the summary. */
  readonly afterwards: () => Pick<SummaryInput, 'words' | 'warnings'>
  readonly head: Omit<PlanHead, 'title'>
  readonly started: Date
  /** The names of projects, and the service time of the plan. */
  readonly told: Required<StyleFacts>
  /** The requests that have an unknown outcome now. */
  readonly unknown: () => readonly OpenIntent[]
}

/** Reports an apply to a person or a machine while it runs. */
export const applyReport = async (io: Io, options: CommonOptions, given: ApplyHead): Promise<ApplyReport> => {
  const { client, document, words, started, unknown } = given
  const faces = await facesOf(io, options, given.told)
  const progress = progressOn(io, faces.streams || options.quiet === true)
  const count = counting(progress, document, { started, held: () => whyHeld(io, client) })
  const lines = linesOf(io, faces, { progress, planned: document.changes })
  const facts = () => ({ now: io.now(), sameFlags: sameFlagsOf(options), words, until: untilIn(unknown, io) })
  return {
    plan: ({ asks }) => showPlan(io, { given, faces, asks }),
    started({ change }) {
      const { address, action } = change
      lines.tell({ type: 'started', address, action, at: io.now().toISOString() })
      count.begun(change)
    },
    finished(result) {
      lines.tell(finishedEvent(result, facts()))
      count.ended(result)
    },
    ran() {
      count.over()
      progress.finish()
      lines.rest()
    },
    async summary(results, end) {
      const seconds = (io.now().getTime() - started.getTime()) / 1000
      const strict = options.strict === true
      const summary = summaryOf(results, {
        document,
        seconds,
        strict,
        ...end,
        ...facts(),
        ...given.afterwards(),
      })
      const shown = faces.showsPlan ? { ...faces.style, shownAbove: document } : faces.style
      await print(io.stdout, faces.render({ document: summary }, shown) ?? '')
      return summary.exitCode
    },
  }
}

/** How an apply is shown. */
interface Faces {
  readonly render: Renderer<'apply'>
  /** Whether events are streamed to stdout, for a machine. */
  readonly streams: boolean
  /** Whether a person is shown the plan. */
  readonly showsPlan: boolean
  readonly style: ReportStyle
  /** The style of progress, and of the plan before a question if stdout is not a terminal. */
  readonly aside: ReportStyle
}

const facesOf = async (io: Io, options: CommonOptions, told: StyleFacts): Promise<Faces> => {
  const format = formatOf('apply', options.format)
  const { output: _, ...others } = options
  return {
    render: await rendererOf('apply', options.format),
    streams: format?.streams === true,
    showsPlan: format?.for === 'person' && options.quiet !== true,
    style: styleOf(io, options, told),
    aside: styleOf({ ...io, stdout: io.stderr }, others, told),
  }
}

interface PlanShown {
  readonly given: ApplyHead
  readonly faces: Faces
  readonly asks: boolean
}

const titleOf = ({ asOf }: ApplyHead['head']): string =>
  asOf === undefined ? 'apply' : 'apply of a saved plan'

const showPlan = async (io: Io, { given, faces, asks }: PlanShown): Promise<void> => {
  const said = { document: given.document, head: { title: titleOf(given.head), ...given.head } }
  const { showsPlan, style, aside } = faces
  if (showsPlan) await print(io.stdout, renderPlan(said, style))
  // Nobody can agree to a plan that went to a file, or nowhere.
  if (asks && !(showsPlan && io.stdout.isTTY === true)) await print(io.stderr, renderPlan(said, aside))
}

/** Prints a line for each event, and at the end those that were folded. */
const linesOf = (
  io: Io,
  { render, streams, style, aside }: Faces,
  { progress, planned }: { readonly progress: Progress; readonly planned: PlanDocument['changes'] },
) => {
  const folded = foldingOf(aside, planned)
  return {
    tell(event: ApplyEvent): void {
      const line = render({ document: event }, streams ? style : aside)
      if (line === undefined) return
      if (streams) io.stdout.write(`${line}\n`)
      else if (folded.isShown(event)) progress.line(line)
    },
    rest(): void {
      for (const line of folded.rest()) progress.line(line)
    },
  }
}

interface Counted {
  readonly started: Date
  /** Why no request is sent for a while. */
  readonly held: () => string | undefined
}

/** Keeps the progress line up to date: done, and under way. */
const counting = (progress: Progress, { changes }: PlanDocument, { started, held }: Counted) => {
  const total = changes.filter(({ action }) => action !== 'unchanged' && action !== 'blocked').length
  const flight = new Set<string>()
  let done = 0
  let stop: (() => void) | undefined
  const show = (current: string): void =>
    progress.update({ done, total, current, inFlight: flight.size, startedAt: started.getTime() })
  const update = (change: Change): void => show(held() ?? currentOf(change))
  const look = (): void => {
    const why = held()
    if (why !== undefined) show(why)
  }
  return {
    begun(change: Change): void {
      stop ??= lookingOften(look)
      flight.add(change.address)
      update(change)
    },
    ended({ planned: { change, work }, status }: ChangeResult): void {
      flight.delete(change.address)
      if (status !== 'blocked' || work.do !== 'keep') done += 1
      update(change)
    },
    over(): void {
      stop?.()
    },
  }
}

/** Until when a creation with an unknown outcome at an address can still take effect. */
const untilIn =
  (unknown: ApplyHead['unknown'], io: Io) =>
  (address: string): string | undefined => {
    const creation = unknown().find((each) => each.address === address && each.method === 'POST')
    return creation && canStillHappen(creation, io.now())
  }

const currentOf = ({ requests, address }: Change): string => `${requests[0]?.method ?? ''} ${address}`.trim()
