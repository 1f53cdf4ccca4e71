import { AsyncLocalStorage } from 'node:async_hooks'
import { nodeFiles } from '../../reconciler/disk/files.ts'
import { thisHost } from '../../reconciler/state/index.ts'
import { filesAtOnce } from './files-at-once.ts'

/** One command while it runs: all that it does outside itself passes this gate, where it can be killed. */
export interface Running {
  readonly number: number
  /** Its process id, which no other run has had. */
  readonly pid: number
  /** Whether it belongs to the runner whose reports are judged, or to another one with the same key. */
  readonly by: 'run' | 'twin'
  /** How many more effects (requests, and changes of files) it carries out before it is killed. */
  effectsLeft: number
  /** The write at which it is killed; it does not see the answer to it. */
  readonly lastWrite: number
  isDead: boolean
  readonly died: PromiseWithResolvers<'killed'>
  /** Stops reads in progress, as Ctrl-C does. */
  stop: () => void
  requests: number
  writes: number
  /** Close the files that it has open, as the end of a process does. */
  readonly open: Set<() => Promise<void>>
  /** The request, or the write, at which somebody presses Ctrl-C. */
  readonly interruptAt: Partial<Pick<Running, 'requests' | 'writes'>> | undefined
  /** What happens elsewhere while its n-th request waits. */
  readonly meanwhile: ReadonlyMap<number, () => Promise<void>>
  /** The name of its machine, if that is not this one. */
  readonly machine: string | undefined
  readonly stumble: Stumble | undefined
  /** How often it has written to its store. */
  saves: number
}

/** From which write on, and how many, its store does not take, or takes without an answer, or takes late. */
export interface Stumble {
  readonly at: number
  readonly often: number
  readonly how: 'before' | 'after' | 'late'
}

/** No process of this machine has an id this high. */
const FIRST_PID = 4_194_304
let lastPid = FIRST_PID

export const newRunning = (
  { number, by, machine }: Pick<Running, 'number' | 'by' | 'machine'>,
  {
    effects = Number.POSITIVE_INFINITY,
    writes = Number.POSITIVE_INFINITY,
    interruptAt,
    meanwhile = new Map(),
    stumble,
  }: { effects?: number; writes?: number } & Partial<
    Pick<Running, 'interruptAt' | 'meanwhile' | 'stumble'>
  > = {},
): Running => ({
  number,
  by,
  pid: (lastPid += 1),
  effectsLeft: effects,
  lastWrite: writes,
  isDead: false,
  died: Promise.withResolvers(),
  stop: () => {},
  requests: 0,
  writes: 0,
  open: new Set(),
  interruptAt,
  meanwhile,
  machine,
  stumble,
  saves: 0,
})

export const running = new AsyncLocalStorage<Running>()
/** Commands that have begun and not ended, by process id; those that were killed are dead. */
const begun = new Map<number, Running>()
export const runOf = (pid: number): Running | undefined => begun.get(pid)
export const within = async <T>(run: Running, work: () => Promise<T>): Promise<T> => {
  begun.set(run.pid, run)
  try {
    return await running.run(run, work)
  } finally {
    begun.delete(run.pid)
  }
}

/**
 * Makes each command look like a process of its own, on its own machine, which is over once it is killed. Returns how
 * to undo that.
 */
export const gateHost = (): (() => void) => {
  const before = Object.getOwnPropertyDescriptors(thisHost)
  const { pid, name } = thisHost
  const isRunning = thisHost.isRunning.bind(thisHost)
  Object.defineProperties(thisHost, {
    pid: { get: () => running.getStore()?.pid ?? pid, configurable: true, enumerable: true },
    name: { get: () => running.getStore()?.machine ?? name, configurable: true, enumerable: true },
  })
  thisHost.isRunning = async (id, started) =>
    id < FIRST_PID ? isRunning(id, started) : runOf(id)?.isDead === false
  return () => void Object.defineProperties(thisHost, before)
}

/** Whether this effect still happens; the one at which a command is killed does not. */
export const lives = (run: Running | undefined): boolean => {
  if (run === undefined) return true
  if (run.isDead) return false
  run.effectsLeft -= 1
  if (run.effectsLeft >= 0) return true
  run.isDead = true
  run.died.resolve('killed')
  return false
}

export const never = <T>(): Promise<T> => new Promise(() => {})

/** What happens to a write to a store that is elsewhere. */
export const atStore = (run: Running): 'done' | Stumble['how'] => {
  if (!lives(run)) return 'before'
  run.saves += 1
  const { at, often, how } = run.stumble ?? { at: 0, often: 0, how: 'before' }
  return run.saves >= at && run.saves < at + often ? how : 'done'
}

const change =
  <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
  (...args: A): Promise<T> =>
    lives(running.getStore()) ? work(...args) : never<T>()
const look =
  <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
  (...args: A): Promise<T> =>
    running.getStore()?.isDead === true ? never<T>() : work(...args)

/**
 * Leads every change of files through the gate, and returns how to undo that. What a killed command waits for never
 * comes. Nothing is synced: what a power cut leaves is tested elsewhere.
 */
export const gateFiles = (): (() => void) => {
  const before = { ...nodeFiles }
  const real = { ...before, ...filesAtOnce }
  const gated: typeof real = {
    ...real,
    read: look(real.read),
    stat: look(real.stat),
    list: look(real.list),
    rename: change(real.rename),
    link: change(real.link),
    unlink: change(real.unlink),
    syncFolder: async () => {},
    create: change(async (path) => {
      const file = await real.create(path)
      const run = running.getStore()
      const close = (): Promise<void> => {
        run?.open.delete(close)
        return file.close()
      }
      run?.open.add(close)
      return {
        write: (bytes) => {
          if (lives(run)) return file.write(bytes)
          // The last line of a file can be cut off.
          return file.write(bytes.subarray(0, bytes.length >> 1)).then(() => never<void>())
        },
        sync: async () => {},
        close,
      }
    }),
  }
  Object.assign(nodeFiles, gated)
  return () => void Object.assign(nodeFiles, before)
}

/** Does what the end of a process does: closes its files, and awaits what it has handed over. */
export const bury = async ({ open }: Running): Promise<void> => {
  await Promise.all([...open].map((close) => close()))
}
