import type { Declaration } from '@deploymgmt/provider/engine'
import type { Io } from '../../io.ts'
import { rendererOf } from '../../render/formats.ts'
import type { ReportName, Reports, ReportStyle } from '../../render/document/reports.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { refuseUnwritable, writeOutput } from './output.ts'

/** Values for a report that its command has determined. */
export type StyleFacts = Partial<Pick<ReportStyle, 'names' | 'now' | 'atHead' | 'allowed'>>

/**
 * How text is styled: coloured only on a terminal, unless `--no-color`, `NO_COLOR` or `FORCE_COLOR` says otherwise.
 * @param facts `now` defaults to this machine's clock; reports based on the service's clock pass it
 * @param file replaces stdout
 */
export const styleOf = (
  io: Io,
  options: CommonOptions,
  facts: StyleFacts = {},
  file = options.output,
): ReportStyle => ({
  // A getter, because help offers a flag only if the report has read the option.
  get color() {
    return file === undefined && isColoured(io, options)
  },
  get all() {
    return options.all === true
  },
  get isTerminal() {
    return file === undefined && io.stdout.isTTY === true
  },
  get sameFlags() {
    return sameFlagsOf(options)
  },
  width: widthOf(io),
  now: io.now(),
  ...facts,
})

const widthOf = ({ env, stdout }: Io): number => {
  const columns = Number(env['COLUMNS'])
  // A terminal of unknown size reports 0.
  return stdout.columns || (Number.isInteger(columns) && columns > 0 ? columns : PLAIN.width)
}

/** The style if no person reads the output, or if nothing is known of the reader. */
export const PLAIN: ReportStyle = { color: false, width: 100, now: new Date(0) }

/** Values of `FORCE_COLOR` that turn colour off for Node.js, and for help here. */
const OFF: ReadonlySet<string> = new Set(['0', 'false'])

const isColoured = ({ env, stdout }: Io, { color }: Pick<CommonOptions, 'color'>): boolean => {
  if (!color || (env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR'] ?? ''
  if (env['TERM'] === 'dumb' || OFF.has(forced)) return false
  return stdout.isTTY === true || forced !== ''
}

/**
 * Determines how and where a report is shown, before anything is sent. Returns a function that writes the report in
 * every requested format.
 * @throws OutputError if a file cannot be written
 */
export const reporter = async <N extends ReportName>(
  io: Io,
  options: CommonOptions,
  name: N,
): Promise<(report: Reports[N], facts?: StyleFacts) => Promise<void>> => {
  const asked = [{ format: options.format, file: options.output }, ...(options.files ?? [])]
  const outputs = await Promise.all(
    asked.map(async ({ format, file }) => {
      const render = await rendererOf(name, format)
      await refuseUnwritable(io, file)
      return { render, file }
    }),
  )
  return async (report, facts) => {
    // A failure of one file does not prevent the others.
    const written = await Promise.allSettled(
      outputs.map(async ({ render, file }) => {
        await writeOutput(io, file, render(report, styleOf(io, options, facts, file)) ?? '')
        if (file !== undefined) io.unwritten.delete(file)
      }),
    )
    for (const each of written) if (each.status === 'rejected') throw each.reason
  }
}

/** The figures for the first line of a report; projects are in the order of the manifest, not of the entries. */
export const headOf = ({ entries, projectNames }: Declaration, started: Date, io: Io) => {
  const ids = new Set(entries.map(({ values }) => values['projectId']).filter((id) => typeof id === 'string'))
  return {
    projects: [...new Set([...projectNames.keys(), ...ids])].filter((id) => ids.has(id)),
    declared: entries.length,
    seconds: (io.now().getTime() - started.getTime()) / 1000,
  }
}
