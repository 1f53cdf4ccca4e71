import type { ReadStream, WriteStream } from 'node:tty'
import {
  formsOf,
  knownPrivateKey,
  standsOut,
  withoutLogCommands,
  withoutSecrets,
} from '@deploymgmt/provider/api'
import { OutputError } from './errors/output-error.ts'
import { UsageError } from './errors/usage-error.ts'

/** The environment of a command, except the network and files: a parameter, so that tests can pass their own. */
export interface ProcessIo {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** A function, because Node opens it on access, and few commands need it. */
  readonly stdin: () => NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>
  readonly now: () => Date
  /** Calls back for each request to stop; returns a function that stops listening. */
  readonly onInterrupt: (stop: () => void) => () => void
  /** Calls back with the name of each signal that asks to stop; returns a function that stops listening. */
  readonly onSignal?: (heard: (signal: NodeJS.Signals) => void) => () => void
  /** Resolves after this many milliseconds; rejects if the signal fires first. In real time by default. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** In [0, 1): the part of its longest time that a wait takes. */
  readonly random?: () => number
}

/** What `-f -` stands for. */
export const STDIN = '/dev/stdin'

/** What `adopt --output -` stands for. */
export const STDOUT = '/dev/stdout'

/** Whether a path names the stream for data. */
export const isStdout = (path: string): boolean => [STDOUT, '/dev/fd/1', '/proc/self/fd/1'].includes(path)

/** The environment in which a command runs: its streams hide all known secrets. */
export interface Io extends ProcessIo {
  readonly secrets: Secrets
  /** What the environment says to log in with: the private key, and the password or token of a state. */
  readonly credentials: readonly string[]
  /** Reports that are not written yet, by file with format: if the command fails, they contain the failure. */
  readonly unwritten: Map<string, string>
}

/** The secrets of this run. Grows while they are read. */
type Secrets = Set<string>

/**
 * Before anything is printed, it knows the private key, and the password or token of the state, from the
 * environment.
 */
export const concealingIo = async (plain: ProcessIo): Promise<Io> => {
  const { env } = plain
  const key = await knownPrivateKey(env)
  // Without a password, the user is a token.
  const ofState = env['DEPLOYMGMT_STATE_PASSWORD'] || env['DEPLOYMGMT_STATE_USERNAME']
  const secrets: Secrets = new Set(given([key, ofState]))
  const credentials = given([...secrets, env['PGPASSWORD']])
  const [stdout, stderr] = [concealing(plain.stdout, secrets), concealing(plain.stderr, secrets)]
  return { ...plain, stdout, stderr, secrets, credentials, unwritten: new Map() }
}

const given = (texts: readonly (string | undefined)[]): string[] =>
  texts.filter((each): each is string => each !== undefined && each !== '')

/** A text without the known secrets. */
export const concealed = (text: string, secrets: Secrets): string =>
  withoutSecrets(text, [...secrets].filter(standsOut).flatMap(formsOf))

/** The stream, with known secrets, and what a pipeline would obey, replaced in everything written to it. */
export const concealing = <S extends NodeJS.WritableStream>(stream: S, secrets: Secrets): S => {
  const face = new Proxy(stream, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'write') return value.bind(target) as unknown
      return (chunk: unknown, ...more: unknown[]): unknown =>
        Reflect.apply(value, target, [typeof chunk === 'string' ? shown(chunk, secrets) : chunk, ...more])
    },
  })
  behind.set(face, stream)
  return face
}

const shown = (text: string, secrets: Secrets): string => withoutLogCommands(concealed(text, secrets))

/** The underlying streams of concealing ones: failures belong to these. */
const behind = new WeakMap<NodeJS.WritableStream, NodeJS.WritableStream>()

/** Signals that ask a process to end. */
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

/** @throws UsageError if the working folder was deleted */
export const processIo = (): ProcessIo => ({
  env: process.env,
  cwd: workingFolder(),
  stdin: () => process.stdin,
  stdout: outlivingFailures(process.stdout),
  stderr: outlivingFailures(process.stderr),
  now: () => new Date(),
  onSignal: whenEnding,
  onInterrupt: whenEnding,
})

const whenEnding = (heard: (signal: NodeJS.Signals) => void): (() => void) => {
  for (const signal of ENDING) process.on(signal, heard)
  return () => {
    for (const signal of ENDING) process.off(signal, heard)
  }
}

/**
 * Resolves when the text has been handed over, so that a pipe gets all of it before the process ends. A reader that
 * went away (`| head`) does not stop the work, which is completed and recorded.
 * @throws OutputError if data cannot be written, now or earlier; failures of stderr cannot be reported
 */
export const print = (stream: NodeJS.WritableStream, text: string): Promise<void> =>
  handOver(stream, text.endsWith('\n') ? text : `${text}\n`)

/** The same without a final newline. With an empty text it waits for earlier writes. @throws OutputError */
export const handOver = (stream: NodeJS.WritableStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      const own = behind.get(stream) ?? stream
      const isUnread = error && isGone(error, stream)
      if (isUnread) unread.add(own)
      const failure = error && !isUnread ? error : failures.get(own)
      if (failure === undefined || ('fd' in stream && stream.fd === 2)) resolve()
      else reject(notWritten(failure))
    })
  })

/** Streams whose readers have gone. */
const unread = new WeakSet<NodeJS.WritableStream>()

/** Whether what is printed may still be read: no reader was found to have gone. */
export const mayBeRead = (stream: NodeJS.WritableStream): boolean => !unread.has(behind.get(stream) ?? stream)

const notWritten = (cause: NodeJS.ErrnoException): OutputError =>
  new OutputError(`the output cannot be written (${cause.code ?? 'unknown'})`, {
    where: 'stdout',
    hint: 'Make room where stdout goes, or let it go elsewhere; then run the command again.',
    cause,
  })

/** Whether the reader has gone: of a pipe, or of a closed terminal. */
const isGone = (error: NodeJS.ErrnoException, stream: NodeJS.WritableStream): boolean =>
  error.code === 'EPIPE' ||
  error.code === 'ERR_STREAM_DESTROYED' ||
  (error.code === 'EIO' && 'isTTY' in stream && stream.isTTY === true)

const listened = new WeakSet<NodeJS.WritableStream>()
/** The first failure of a stream, such as a full disk: later ones only result from it. */
const failures = new WeakMap<NodeJS.WritableStream, NodeJS.ErrnoException>()

/** Without a listener, a failing stream would end the process in the middle of an apply. */
const outlivingFailures = <S extends NodeJS.WritableStream>(stream: S): S => {
  if (listened.has(stream)) return stream
  listened.add(stream)
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone(error, stream) && !failures.has(stream)) failures.set(stream, error)
  })
  return stream
}
