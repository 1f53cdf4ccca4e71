import { AsyncLocalStorage } from 'node:async_hooks'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeFiles } from '../../reconciler/disk/files.ts'
import { filesAtOnce } from './files-at-once.ts'

/** One command while it runs: all that it does outside of itself passes here, and can be its last. */
export interface Running {
  readonly number: number
  /** Whether it is run by the runner whose reports are judged, or by another one with the same key. */
  readonly by: 'run' | 'twin'
  /** How many more effects (requests, and changes of files) it lives to see. */
  effectsLeft: number
  /** How many writes it lives to send; of the last one it does not see the answer. */
  writesLeft: number
  isDead: boolean
  readonly died: PromiseWithResolvers<'killed'>
  /** Stops reads that are under way. */
  stop: () => void
  requests: number
  /** Closes the files that it has open, as the end of a process does. */
  readonly open: Set<() => Promise<void>>
  /** At which of its requests somebody presses Ctrl-C. */
  readonly interruptAt: number | undefined
  /** What happens elsewhere while its n-th request waits. */
  readonly meanwhile: ReadonlyMap<number, () => Promise<void>>
}

export const newRunning = (
  { number, by }: Pick<Running, 'number' | 'by'>,
  {
    effects = Number.POSITIVE_INFINITY,
    writes = Number.POSITIVE_INFINITY,
    interruptAt,
    meanwhile = new Map(),
  }: { effects?: number; writes?: number } & Partial<Pick<Running, 'interruptAt' | 'meanwhile'>> = {},
): Running => ({
  number,
  by,
  effectsLeft: effects,
  writesLeft: writes,
  isDead: false,
  died: Promise.withResolvers(),
  stop: () => {},
  requests: 0,
  open: new Set(),
  interruptAt,
  meanwhile,
})

const running = new AsyncLocalStorage<Running>()
export const within = <T>(run: Running, work: () => Promise<T>): Promise<T> => running.run(run, work)

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

const never = <T>(): Promise<T> => new Promise(() => {})

const change =
  <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
  (...args: A): Promise<T> =>
    lives(running.getStore()) ? work(...args) : never<T>()
const look =
  <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
  (...args: A): Promise<T> =>
    running.getStore()?.isDead === true ? never<T>() : work(...args)

/**
 * Leads every change of files through the gate, and answers how to put that back. What was killed waits for ever.
 * Nothing is synced: what a power cut leaves is asked elsewhere.
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
          // The last line of a file can be torn.
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

/** What the end of a process leaves: its files are closed, and its locks name a process that is not. */
export const bury = async ({ open }: Running, folder: string): Promise<void> => {
  await Promise.all([...open].map((close) => close()))
  for (const name of readdirSync(folder).filter((each) => each.includes('.lock'))) {
    const text = readFileSync(join(folder, name), 'utf8')
    writeFileSync(join(folder, name), text.replace(`"pid":${process.pid}`, '"pid":4194999'))
  }
}
