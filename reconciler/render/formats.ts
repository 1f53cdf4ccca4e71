import type { Listing, RecordedResource } from '@deploymgmt/provider/engine'
import { NotSupportedError } from '../errors/not-supported-error.ts'
import { toJson } from '../text/json.ts'
import type { ApplyEvent } from './apply-events.ts'
import type { Done, Ready, Validation } from './brief-text.ts'
import type { DriftDocument, PlanDocument } from './document.ts'
import type { DriftHead } from './drift-text.ts'
import type { PlanHead, ReportStyle } from './plan-text.ts'
import type { StateLine, StateRow } from './state-text.ts'

/** What each report is made from: the document that `json` shows whole, and what is told of the run besides. */
export interface Reports {
  readonly plan: { readonly document: PlanDocument; readonly head: PlanHead }
  readonly drift: {
    readonly document: DriftDocument
    readonly head: DriftHead
    readonly exitCode: number
  }
  readonly apply: { readonly document: ApplyEvent }
  readonly reading: {
    readonly document: Readonly<Record<string, unknown>> | Listing
    readonly name: string
  }
  readonly records: { readonly document: readonly StateRow[]; readonly lines: readonly StateLine[] }
  readonly record: { readonly document: RecordedResource & { readonly address: string } }
  readonly validation: { readonly document: Validation }
  readonly done: { readonly document: Done }
  readonly ready: { readonly document: Ready; readonly data: string | undefined }
}
export type ReportName = keyof Reports

/** Shows a report; nothing where an event says nothing in this format. */
export type Renderer<R> = (report: R, style: ReportStyle) => string | undefined
/** A format is loaded when it is asked for. */
type Format<R> = () => Promise<Renderer<R>>
type Formats<R> = Readonly<Record<string, Format<R>>>

const whole: Format<Reports[ReportName]> = async () => (report) => toJson(report.document, { indent: 2 })
/** For what is read line by line. */
const oneLine: Format<Reports[ReportName]> = async () => (report) => toJson(report.document)

const planText: Format<Reports['plan']> = async () => {
  const { renderPlan } = await import('./plan-text.ts')
  return ({ document, head }, style) => renderPlan(document, head, style)
}
const driftText: Format<Reports['drift']> = async () => {
  const { renderDrift } = await import('./drift-text.ts')
  return ({ document, head, exitCode }, style) => renderDrift(document, head, style, exitCode)
}
const applyText: Format<Reports['apply']> = async () => {
  const { renderApplyEvent } = await import('./apply-text.ts')
  return ({ document }, style) => renderApplyEvent(document, style)
}
const readingText: Format<Reports['reading']> = async () => {
  const { renderRead } = await import('./table-text.ts')
  return ({ document, name }, style) => renderRead(name, document, style)
}
const recordsText: Format<Reports['records']> = async () => {
  const { renderStateList } = await import('./state-text.ts')
  return ({ lines }, style) => renderStateList(lines, style)
}
const recordText: Format<Reports['record']> = async () => {
  const { renderStateShow } = await import('./state-text.ts')
  return ({ document }, style) => renderStateShow(document, style)
}

/** A format that the command line knows, and this version does not write. */
const later = (report: ReportName, format: string) => async (): Promise<never> => {
  throw new NotSupportedError(`${report} reports as ${format} are not part of this version`, {
    hint: 'Use --format text or --format json.',
  })
}

/** All formats of all reports. To add one is to add its file, and its line here. */
const FORMATS: { readonly [N in ReportName]: Formats<Reports[N]> } = {
  plan: { text: planText, json: whole },
  drift: {
    text: driftText,
    json: whole,
    markdown: later('drift', 'markdown'),
    html: later('drift', 'html'),
    junit: later('drift', 'junit'),
    sarif: later('drift', 'sarif'),
  },
  apply: { text: applyText, json: oneLine },
  reading: { text: readingText, json: whole },
  records: { text: recordsText, json: whole },
  record: { text: recordText, json: whole },
  validation: { text: async () => (await import('./brief-text.ts')).renderValidation, json: whole },
  done: { text: async () => (await import('./brief-text.ts')).renderDone, json: whole },
  ready: { text: async () => (await import('./brief-text.ts')).renderReady, json: oneLine },
}

/** The formats of a report, for the command line. */
export const formatsOf = (report: ReportName): readonly string[] => Object.keys(FORMATS[report])

/** @throws NotSupportedError for a format that this version does not write. */
export const rendererOf = <N extends ReportName>(
  report: N,
  format: string,
): Promise<Renderer<Reports[N]>> => {
  const load = FORMATS[report][format]
  if (load === undefined) throw new RangeError(`${report} has no format ${format}`)
  return load()
}

/** Whether a format tells each event of an apply as data; in the others its end alone is. */
export const isStream = (format: string): boolean => format === 'json'
