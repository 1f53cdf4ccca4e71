import type { ReadStream, WriteStream } from 'node:tty'
import { formsOf, knownPrivateKey, standsOut, withoutSecrets } from '@deploymgmt/provider/api'
import { OutputError } from './errors/output-error.ts'
import { UsageError } from './errors/usage-error.ts'

/** All that a command has of the world besides the network and files: given once, so that tests can give another. */
export interface Outside {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Node opens it when it is asked for, and few commands ask. */
  readonly stdin: () => NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>
  readonly now: () => Date
  /** Calls back for each request to stop; answers how to stop listening. */
  readonly onInterrupt: (stop: () => void) => () => void
  /** Calls back for each signal that asks to stop, with its name; answers how to stop listening. */
  readonly onSignal?: (heard: (signal: NodeJS.Signals) => void) => () => void
  /** Resolves after as many milliseconds, and rejects where the signal comes first; in real time where left out. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** What paths call the stream that data goes to. */
export const STDOUT: readonly string[] = ['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']

/** What a command is run with: all that it says leaves through streams that show no secret it knows. */
export interface Io extends Outside {
  readonly secrets: Secrets
  /** Files of reports that are not written yet, each with its format: where the command fails, they say so. */
  readonly unwritten: Map<string, string>
}

/** The secrets that this run has met. It grows while they are read. */
export type Secrets = Set<string>

/** Before anything is said, it knows the private key and the password or token of the state that the environment tells. */
export const concealingIo = async (outside: Outside): Promise<Io> => {
  const key = await knownPrivateKey(outside.env)
  // Where there is no password, the user is a token.
  const password = outside.env['DEPLOYMGMT_STATE_PASSWORD'] || outside.env['DEPLOYMGMT_STATE_USERNAME']
  const secrets: Secrets = new Set([key, password].filter((each) => each !== undefined))
  const [stdout, stderr] = [concealing(outside.stdout, secrets), concealing(outside.stderr, secrets)]
  return { ...outside, stdout, stderr, secrets, unwritten: new Map() }
}

/** A text without the secrets that are known. */
export const concealed = (text: string, secrets: Secrets): string =>
  withoutSecrets(text, [...secrets].filter(standsOut).flatMap(formsOf))

/** The same stream, to which no known secret is written. */
export const concealing = <S extends NodeJS.WritableStream>(stream: S, secrets: Secrets): S => {
  const face = new Proxy(stream, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'write') return value.bind(target) as unknown
      return (chunk: unknown, ...more: unknown[]): unknown =>
        Reflect.apply(value, target, [typeof chunk === 'string' ? concealed(chunk, secrets) : chunk, ...more])
    },
  })
  behind.set(face, stream)
  return face
}

/** The streams that are written to through a concealing one: a failure is theirs. */
const behind = new WeakMap<NodeJS.WritableStream, NodeJS.WritableStream>()

/** Signals by which a process is asked to end. */
const ENDING: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

const workingFolder = (): string => {
  try {
    return process.cwd()
  } catch (cause) {
    throw new UsageError('the working folder is not there any more', {
      hint: 'Go to a folder that exists, and run the command again.',
      cause,
    })
  }
}

/** @throws UsageError where the working folder has been deleted */
export const processIo = (): Outside => ({
  env: process.env,
  cwd: workingFolder(),
  stdin: () => process.stdin,
  stdout: outlivingFailures(process.stdout),
  stderr: outlivingFailures(process.stderr),
  now: () => new Date(),
  onSignal: (heard) => {
    for (const signal of ENDING) process.on(signal, heard)
    return () => {
      for (const signal of ENDING) process.off(signal, heard)
    }
  },
  onInterrupt: (stop) => {
    for (const signal of ENDING) process.on(signal, stop)
    return () => {
      for (const signal of ENDING) process.off(signal, stop)
    }
  },
})

/**
 * Resolves when the text has been handed over, so that a pipe gets all of it before the process ends. A reader
 * that went away (`| head`) ends no work: what is under way goes on, and is recorded.
 * @throws OutputError when data cannot be written, now or earlier; what is said on stderr can be told nowhere else.
 */
export const print = (stream: NodeJS.WritableStream, text: string): Promise<void> =>
  handOver(stream, text.endsWith('\n') ? text : `${text}\n`)

/**
 * The same without a newline at its end. With an empty text it waits for what was written before.
 * @throws OutputError
 */
export const handOver = (stream: NodeJS.WritableStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      const failure = error && !isGone(error, stream) ? error : failures.get(behind.get(stream) ?? stream)
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

/** Whether it is the reader that has gone: of a pipe, or of a terminal that was closed. */
const isGone = (error: NodeJS.ErrnoException, stream: NodeJS.WritableStream): boolean =>
  error.code === 'EPIPE' ||
  error.code === 'ERR_STREAM_DESTROYED' ||
  (error.code === 'EIO' && 'isTTY' in stream && stream.isTTY === true)

const listened = new WeakSet<NodeJS.WritableStream>()
/** What kept a stream from being written first, such as a full disk: later writes fail for what came of it. */
const failures = new WeakMap<NodeJS.WritableStream, NodeJS.ErrnoException>()

/** Without a listener, a stream that fails would end the process in the middle of an apply. */
const outlivingFailures = <S extends NodeJS.WritableStream>(stream: S): S => {
  if (listened.has(stream)) return stream
  listened.add(stream)
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone(error, stream) && !failures.has(stream)) failures.set(stream, error)
  })
  return stream
}
