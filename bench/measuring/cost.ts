import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** What one run of a command took. */
export interface Cost {
  /** From its start to its end. */
  readonly wallMs: number
  /** User and system time of it and of all that it has started and waited for. */
  readonly cpuMs: number
  /** The most memory that its processes have had resident, each at its own time; undefined where no /proc tells it. */
  readonly peakKb: number | undefined
}

export interface Command {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** After so long it is given up; `GIVEN_UP_MS`, where nothing is said. */
  readonly limitMs?: number
}

/** After so long nobody waits for a command, or for a service, any more. */
export const GIVEN_UP_MS = 15 * 60_000

/** The shell waits for the command, and tells on its third descriptor what that has taken. */
const WAITING = '"$@" 3>&-; code=$?; times >&3; exit $code'

/** Runs a command to its end, with what it takes of processor and memory. */
export const costOf = async ({ words, cwd, env, limitMs }: Command): Promise<Cost> => {
  const begun = performance.now()
  const child = spawn('bash', ['-c', WAITING, 'bench', ...words], {
    cwd,
    env: { ...env, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  const [said, told] = [collected(child.stderr), collected(child.stdio[3])]
  const peaks = new Map<number, number>()
  const looking = setInterval(() => look(child.pid ?? 0, peaks), LOOK_MS)
  const waiting = givenUp(child, words, limitMs)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(looking)
  waiting.over()
  const wallMs = performance.now() - begun
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${String(code)}:\n${said()}`)
  const peakKb = peaks.size === 0 ? undefined : [...peaks.values()].reduce((sum, each) => sum + each, 0)
  return { wallMs, cpuMs: childrenMs(told()), peakKb }
}

/** Milliseconds from a command's start to its first output, where that is asked for, or to its end. */
export const wallOf = async (
  { words, cwd, env, limitMs }: Command,
  until: 'output' | 'end' = 'end',
): Promise<number> => {
  const begun = performance.now()
  const [program = '', ...rest] = words
  const child = spawn(program, rest, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  const waiting = givenUp(child, words, limitMs)
  if (until === 'output') await Promise.race([once(child.stdout, 'data'), ended])
  else {
    child.stdout.resume()
    await ended
  }
  const ms = performance.now() - begun
  child.kill('SIGTERM')
  await ended
  waiting.over()
  return ms
}

/** Ends a child, and all below it, that takes too long. `over` ends the waiting. @throws from `over`, where it did */
export const givenUp = (
  child: ChildProcess,
  words: readonly string[],
  limitMs: number = GIVEN_UP_MS,
): { readonly over: () => void } => {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    endAll(child.pid ?? 0)
    // Where no /proc tells what it has started, that goes on holding them.
    for (const stream of [child.stderr, child.stdio[3]]) stream?.destroy()
  }, limitMs)
  return {
    over: () => {
      clearTimeout(timer)
      if (isLate) throw new Error(`${words.join(' ')} was given up after ${limitMs / 60_000} min`)
    },
  }
}

const endAll = (pid: number): void => {
  for (const child of childrenOf(pid)) endAll(child)
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

const collected = (stream: unknown): (() => string) => {
  let text = ''
  const readable = stream as NodeJS.ReadableStream
  readable.setEncoding('utf8').on('data', (more: string) => (text += more))
  return () => text
}

/** `times` has a line for the shell and one for its children: `0m0.120s 0m0.018s`. */
const childrenMs = (told: string): number =>
  (told.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map((each) => /^(?<m>\d+)m(?<s>[\d.]+)s$/v.exec(each)?.groups)
    .reduce((sum, parts) => sum + Number(parts?.['m']) * 60_000 + Number(parts?.['s']) * 1000, 0)

const LOOK_MS = 10

/** Notes of each process below one the most that it has had: that grows alone, so that the last look counts. */
const look = (parent: number, peaks: Map<number, number>): void => {
  for (const pid of childrenOf(parent)) {
    const kb = Number(/^VmHWM:\s+(\d+) kB$/mv.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
    if (kb > 0) peaks.set(pid, kb)
    look(pid, peaks)
  }
}

const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter((each) => each !== '')
    .map(Number)

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It has ended, or there is no /proc.
    return ''
  }
}
