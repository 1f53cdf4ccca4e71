import type { Declaration } from '@deploymgmt/provider/engine'
import type { Io } from '../io.ts'
import type { Style } from '../render/index.ts'
import { againFlags } from './again.ts'
import type { CommonOptions } from './options.ts'

/** How text looks: coloured on a terminal alone, unless `--no-color` or `NO_COLOR` says otherwise. */
export const styleOf = (
  io: Io,
  options: Pick<CommonOptions, 'color' | 'output' | 'file' | 'var' | 'state' | 'local'>,
  names?: ReadonlyMap<string, string>,
): Style => ({
  color: isColoured(io, options),
  width: io.stdout.columns ?? 100,
  now: io.now(),
  again: againFlags(options),
  ...(names === undefined ? {} : { names }),
})

const isColoured = (
  { env, stdout }: Io,
  { color, output }: Pick<CommonOptions, 'color' | 'output'>,
): boolean => {
  if (!color || output !== undefined || (env['NO_COLOR'] ?? '') !== '') return false
  if (env['TERM'] === 'dumb') return false
  return stdout.isTTY === true || (env['FORCE_COLOR'] ?? '') !== ''
}

/** The figures of a report's first line. */
export const headOf = ({ entries }: Declaration, started: Date, io: Io) => ({
  projects: new Set(
    entries.flatMap(({ values }) => (typeof values['projectId'] === 'string' ? [values['projectId']] : [])),
  ).size,
  declared: entries.length,
  seconds: (io.now().getTime() - started.getTime()) / 1000,
})
