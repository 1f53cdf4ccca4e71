import type { ReadStream, WriteStream } from 'node:tty'
import { OutputError } from './errors/output-error.ts'

/** All that a command has of the world besides the network and files: given once, so that tests can give another. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>
  readonly now: () => Date
  /** Calls back for each request to stop; answers how to stop listening. */
  readonly onInterrupt: (stop: () => void) => () => void
}

export const processIo = (): Io => ({
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: outlivingFailures(process.stdout),
  stderr: outlivingFailures(process.stderr),
  now: () => new Date(),
  onInterrupt: (stop) => {
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
    return () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    }
  },
})

/**
 * Resolves when the text has been handed over, so that a pipe gets all of it before the process ends. A reader
 * that went away (`| head`) ends no work: what is under way goes on, and is recorded.
 * @throws OutputError when data cannot be written, now or earlier; what is said on stderr can be told nowhere else.
 */
export const print = (stream: NodeJS.WritableStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text.endsWith('\n') ? text : `${text}\n`, (error) => {
      const failure = error && !isGone(error) ? error : failures.get(stream)
      if (failure === undefined || ('fd' in stream && stream.fd === 2)) resolve()
      else reject(notWritten(failure))
    })
  })

const notWritten = (cause: NodeJS.ErrnoException): OutputError =>
  new OutputError(`the output cannot be written (${cause.code ?? 'unknown'})`, {
    where: 'stdout',
    hint: 'Make room where stdout goes, or name a file with --output; then run the command again.',
    cause,
  })

const isGone = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'

const listened = new WeakSet<NodeJS.WritableStream>()
/** What kept a stream from being written first, such as a full disk: later writes fail for what came of it. */
const failures = new WeakMap<NodeJS.WritableStream, NodeJS.ErrnoException>()

/** Without a listener, a stream that fails would end the process in the middle of an apply. */
const outlivingFailures = <S extends NodeJS.WritableStream>(stream: S): S => {
  if (listened.has(stream)) return stream
  listened.add(stream)
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone(error) && !failures.has(stream)) failures.set(stream, error)
  })
  return stream
}
