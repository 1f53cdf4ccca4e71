import type { Declaration } from '@deploymgmt/provider/engine'
import type { Io } from '../../io.ts'
import { rendererOf } from '../../render/formats.ts'
import type { ReportName, Reports, ReportStyle } from '../../render/document/reports.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { refuseUnwritable, writeOutput } from './output.ts'

/** What a report goes by that its command has found out. */
export type StyleFacts = Partial<Pick<ReportStyle, 'names' | 'now' | 'atHead'>>

/**
 * How text looks: coloured on a terminal alone, unless `--no-color`, `NO_COLOR` or `FORCE_COLOR` says otherwise.
 * @param told `now` is this machine's where left out; what was judged by the service's clock is told by it
 * @param file where it goes in place of stdout
 */
export const styleOf = (
  io: Io,
  options: CommonOptions,
  told: StyleFacts = {},
  file = options.output,
): ReportStyle => ({
  // What a report makes no use of is not looked at: help offers a flag where it is.
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
  ...told,
})

const widthOf = ({ env, stdout }: Io): number => {
  const told = Number(env['COLUMNS'])
  // A terminal that nobody has told its size says 0.
  return stdout.columns || (Number.isInteger(told) && told > 0 ? told : PLAIN.width)
}

/** Where no person reads, or where nothing is known of who does. */
export const PLAIN: ReportStyle = { color: false, width: 100, now: new Date(0) }

/** What turns colour off for Node.js, and for help here, forces none. */
const NO_FORCE: ReadonlySet<string> = new Set(['', '0', 'false'])

const isColoured = ({ env, stdout }: Io, { color }: Pick<CommonOptions, 'color'>): boolean => {
  if (!color || (env['NO_COLOR'] ?? '') !== '') return false
  if (env['TERM'] === 'dumb') return false
  return stdout.isTTY === true || !NO_FORCE.has(env['FORCE_COLOR'] ?? '')
}

/**
 * Finds how a report is shown and where it goes, before anything is sent; what it answers writes one in each format
 * that was asked for.
 * @throws OutputError where a file cannot be written
 */
export const reporter = async <N extends ReportName>(
  io: Io,
  options: CommonOptions,
  name: N,
): Promise<(report: Reports[N], told?: StyleFacts) => Promise<void>> => {
  const asked = [{ format: options.format, file: options.output }, ...(options.files ?? [])]
  const outputs = await Promise.all(
    asked.map(async ({ format, file }) => {
      const render = await rendererOf(name, format)
      await refuseUnwritable(io, file)
      return { render, file }
    }),
  )
  return async (report, told) => {
    // One that fails keeps no other one from being there.
    const written = await Promise.allSettled(
      outputs.map(async ({ render, file }) => {
        await writeOutput(io, file, render(report, styleOf(io, options, told, file)) ?? '')
        if (file !== undefined) io.unwritten.delete(file)
      }),
    )
    for (const each of written) if (each.status === 'rejected') throw each.reason
  }
}

/** The figures of a report's first line; its projects stand as the manifest names them, whatever entry comes first. */
export const headOf = ({ entries, projectNames }: Declaration, started: Date, io: Io) => {
  const ids = new Set(entries.map(({ values }) => values['projectId']).filter((id) => typeof id === 'string'))
  return {
    projects: [...new Set([...projectNames.keys(), ...ids])].filter((id) => ids.has(id)),
    declared: entries.length,
    seconds: (io.now().getTime() - started.getTime()) / 1000,
  }
}
