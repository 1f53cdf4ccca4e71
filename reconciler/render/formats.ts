import { toJson } from '../text/json.ts'
import type { Renderer, ReportName } from './document/reports.ts'

/** A format of a report: its properties, and how to load its renderer. */
export interface Format<N extends ReportName> {
  /** Data for a machine also contains failures; a person is told on stderr what is no data. */
  readonly for: 'person' | 'machine'
  /** Set if each event of a run is printed as a line of data when it happens; otherwise only the end is printed. */
  readonly streams?: true
  /** Loads the renderer. */
  readonly load: () => Promise<Renderer<N>>
}
type Formats<N extends ReportName> = Readonly<Record<string, Format<N>>>

const whole = async (): Promise<Renderer<ReportName>> => (report) => toJson(report.document, { indent: 2 })
/** For data that is read line by line. */
const oneLine = async (): Promise<Renderer<ReportName>> => (report) => toJson(report.document)

/**
 * All formats of all reports, the default first; this table is their only definition. To add a format, add its file,
 * and a line here: the command line, its help, the docs pages and the format tests read this table.
 */
const FORMATS: { readonly [N in ReportName]: Formats<N> } = {
  plan: {
    text: { for: 'person', load: async () => (await import('./terminal/plan-text.ts')).renderPlan },
    json: { for: 'machine', load: whole },
    markdown: {
      for: 'person',
      load: async () => (await import('./markdown/plan-markdown.ts')).renderPlanMarkdown,
    },
    html: { for: 'person', load: async () => (await import('./html/plan.ts')).renderPlanPage },
  },
  drift: {
    text: { for: 'person', load: async () => (await import('./terminal/drift-text.ts')).renderDrift },
    json: { for: 'machine', load: whole },
    markdown: {
      for: 'person',
      load: async () => (await import('./markdown/drift-markdown.ts')).renderDriftMarkdown,
    },
    html: { for: 'person', load: async () => (await import('./html/drift.ts')).renderDriftPage },
    junit: { for: 'machine', load: async () => (await import('./machines/junit.ts')).renderDriftJunit },
    sarif: { for: 'machine', load: async () => (await import('./machines/sarif.ts')).renderDriftSarif },
    brief: { for: 'person', load: async () => (await import('./terminal/drift-brief.ts')).renderDriftBrief },
  },
  apply: {
    text: { for: 'person', load: async () => (await import('./terminal/apply-text.ts')).renderApplyEvent },
    json: { for: 'machine', streams: true, load: oneLine },
  },
  reading: {
    text: { for: 'person', load: async () => (await import('./terminal/table-text.ts')).renderRead },
    json: { for: 'machine', load: whole },
  },
  records: {
    text: { for: 'person', load: async () => (await import('./terminal/state-text.ts')).renderStateList },
    json: { for: 'machine', load: whole },
  },
  record: {
    text: { for: 'person', load: async () => (await import('./terminal/state-text.ts')).renderStateShow },
    json: { for: 'machine', load: whole },
  },
  waited: {
    text: { for: 'person', load: async () => (await import('./terminal/wait-text.ts')).renderWaited },
    json: { for: 'machine', load: whole },
  },
  silences: {
    text: { for: 'person', load: async () => (await import('./terminal/silences-text.ts')).renderSilences },
    json: { for: 'machine', load: whole },
  },
  inventory: {
    text: { for: 'person', load: async () => (await import('./terminal/inventory-text.ts')).renderInventory },
    json: { for: 'machine', load: whole },
    // A failure does not fit in a table.
    csv: {
      for: 'person',
      load: async () => (await import('./machines/inventory-csv.ts')).renderInventoryCsv,
    },
  },
  validation: {
    text: { for: 'person', load: async () => (await import('./terminal/brief-text.ts')).renderValidation },
    json: { for: 'machine', load: whole },
  },
  done: {
    text: { for: 'person', load: async () => (await import('./terminal/brief-text.ts')).renderDone },
    json: { for: 'machine', load: whole },
  },
  ready: {
    text: { for: 'person', load: async () => (await import('./terminal/brief-text.ts')).renderReady },
    json: { for: 'machine', load: oneLine },
  },
  // On stdout only for machines: a person is told on stderr. Files contain it in each of these formats.
  failure: {
    text: { for: 'person', load: async () => (await import('./terminal/failure-text.ts')).renderFailureText },
    json: { for: 'machine', load: whole },
    junit: { for: 'machine', load: async () => (await import('./machines/junit.ts')).renderFailureJunit },
    sarif: { for: 'machine', load: async () => (await import('./machines/sarif.ts')).renderFailureSarif },
    markdown: {
      for: 'person',
      load: async () => (await import('./markdown/failure-markdown.ts')).renderFailureMarkdown,
    },
    html: { for: 'person', load: async () => (await import('./html/failure.ts')).renderFailurePage },
    brief: {
      for: 'person',
      load: async () => (await import('./terminal/drift-brief.ts')).renderFailureBrief,
    },
  },
}

/** The names of a report's formats, the default first; only those that match. */
export const formatsOf = <N extends ReportName>(
  report: N,
  fits: (format: Format<N>) => boolean = () => true,
): readonly string[] =>
  Object.entries<Format<N>>(FORMATS[report]).flatMap(([name, format]) => (fits(format) ? [name] : []))

/** Undefined if the report has no such format. */
export const formatOf = <N extends ReportName>(report: N, name: string): Format<N> | undefined => {
  const formats: Formats<N> = FORMATS[report]
  return Object.hasOwn(formats, name) ? formats[name] : undefined
}

export const rendererOf = async <N extends ReportName>(report: N, name: string): Promise<Renderer<N>> => {
  const format = formatOf(report, name)
  if (format === undefined) throw new RangeError(`${report} has no format ${name}`)
  return format.load()
}
