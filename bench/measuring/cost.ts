import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** What one run of a command took. */
export interface Cost {
  /** From its start to its end. */
  readonly wallMs: number
  /** User and system time of the command and of everything that it has started and waited for. */
  readonly cpuMs: number
  /** The sum of the most resident memory of each of its processes; undefined without /proc. */
  readonly peakKb: number | undefined
}

export interface Command {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** It is given up after so long; the default is `GIVEN_UP_MS`. */
  readonly limitMs?: number
}

/** Commands and services are given up after so long. */
export const GIVEN_UP_MS = 15 * 60_000

/** The shell waits for the command, and prints on its third descriptor what that took. */
const WAITING = '"$@" 3>&-; code=$?; times >&3; exit $code'

/** Runs a command to its end, and measures its processor time and memory. */
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

/** Milliseconds from a command's start to its end, or to its first output. */
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

/**
 * Ends a child that takes too long, and all its descendants. `over` stops waiting for it.
 * @throws from `over`, if it was ended
 */
export const givenUp = (
  child: ChildProcess,
  words: readonly string[],
  limitMs: number = GIVEN_UP_MS,
): { readonly over: () => void } => {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    endAll(child.pid ?? 0)
    // Without /proc, its descendants are unknown, and keep these streams open.
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

/** `times` prints a line for the shell and one for its children: `0m0.120s 0m0.018s`. */
const childrenMs = (told: string): number =>
  (told.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map((each) => /^(?<m>\d+)m(?<s>[\d.]+)s$/v.exec(each)?.groups)
    .reduce((sum, parts) => sum + Number(parts?.['m']) * 60_000 + Number(parts?.['s']) * 1000, 0)

const LOOK_MS = 10

/** Notes the peak memory of each process below a parent. It only grows, so the last look counts. */
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
