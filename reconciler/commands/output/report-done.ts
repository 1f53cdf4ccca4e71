import type { Io } from '../../io.ts'
import { formatOf } from '../../render/formats.ts'
import type { Done } from '../../render/document/reports.ts'
import type { CommonOptions } from '../line/options.ts'
import { reporter } from './report.ts'

/** Reports what a command has done: sentences for a person; one document for a machine, as from every other command. */
export const reportDone = async (
  io: Io,
  options: CommonOptions,
  done: string | readonly string[],
  more: Omit<Done, 'formatVersion' | 'done'> = {},
): Promise<void> => {
  // A sentence goes to stderr, unless a file was given for it.
  const isAside = formatOf('done', options.format)?.for === 'person' && options.output === undefined
  const out = isAside ? { ...io, stdout: io.stderr } : io
  await (
    await reporter(out, options, 'done')
  )({ document: { formatVersion: 1, done, ...more } })
}
