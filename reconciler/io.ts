import type { ReadStream, WriteStream } from 'node:tty'

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
  stdout: ignoringGoneReader(process.stdout),
  stderr: ignoringGoneReader(process.stderr),
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
 */
export const print = (stream: NodeJS.WritableStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text.endsWith('\n') ? text : `${text}\n`, (error) => {
      if (error && !isGone(error)) reject(error)
      else resolve()
    })
  })

const isGone = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'

const listened = new WeakSet<NodeJS.WritableStream>()

/** Without a listener, a reader that went away would end the process in the middle of an apply. */
const ignoringGoneReader = <S extends NodeJS.WritableStream>(stream: S): S => {
  if (listened.has(stream)) return stream
  listened.add(stream)
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone(error)) throw error
  })
  return stream
}
