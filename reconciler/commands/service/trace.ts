import { open, type FileHandle } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { RequestEvent } from '@deploymgmt/provider/api'
import { requestLines } from '@deploymgmt/provider/words'
import { inWords } from '../../disk/files.ts'
import { OutputError } from '../../errors/index.ts'
import { concealed, type Io } from '../../io.ts'
import type { CommonOptions } from '../line/options.ts'
import { tell } from '../output/tell.ts'

/** Prints one line for each request, never a body or a credential. */
export interface Trace {
  readonly onRequest: (event: RequestEvent) => void
  readonly close: () => Promise<void>
}

/**
 * The trace, if `--trace` or DEPLOYMGMT_TRACE asks for it; the file is created before anything is sent.
 *
 * @throws OutputError naming the file
 */
export const traceFor = async (
  io: Io,
  { trace = false }: Pick<CommonOptions, 'trace'>,
): Promise<Trace | undefined> => {
  const path = io.env['DEPLOYMGMT_TRACE'] || undefined
  if (!trace && path === undefined) return undefined
  const lineOf = await lines()
  const file = path === undefined ? undefined : await fileAt(resolve(io.cwd, path))
  const written = file?.createWriteStream()
  let failure: Error | undefined
  // A trace that cannot be written any more stops nothing.
  written?.on('error', (error) => {
    failure ??= error
  })
  return {
    onRequest: (event) => {
      const text = concealed(`${io.now().toISOString()} ${lineOf(event)}\n`, io.secrets)
      if (trace) io.stderr.write(text)
      written?.write(text)
    },
    close: async () => {
      if (written !== undefined) await new Promise((done) => written.end(done))
      if (failure !== undefined)
        await tell(io, `Warning: the trace in ${path} is not whole: ${inWords(failure)}`)
    },
  }
}

/** The start of our own lines. */
const BEGINNING = /^\d{4}-\d\d-\d\dT/u

/** Lines are appended to those of earlier commands; a file with other content is left alone. */
const fileAt = async (path: string): Promise<FileHandle> => {
  const refuse = (why: string, cause?: unknown): OutputError =>
    new OutputError(`the trace cannot be written: ${why}`, { where: path, cause })
  const file = await open(path, 'a+', 0o600).catch((error: unknown) => {
    throw refuse(inWords(error), error)
  })
  const isFile = (await file.stat()).isFile()
  const start = isFile ? (await file.read({ length: 20, position: 0 })).buffer.toString() : ''
  if (!isFile || start.startsWith('\0') || BEGINNING.test(start)) {
    if (isFile) await file.chmod(0o600)
    return file
  }
  await file.close()
  throw refuse('the file holds something else, which is left as it is')
}

/** Loads the definitions only if a trace is requested. */
const lines = async (): Promise<(event: RequestEvent) => string> => {
  const [{ kinds }, { dataSources }] = await Promise.all([
    import('@deploymgmt/provider/kinds'),
    import('@deploymgmt/provider/data-sources'),
  ])
  return requestLines(kinds, dataSources)
}
