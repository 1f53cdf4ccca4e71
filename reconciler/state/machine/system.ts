import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { nodeFiles } from '../../disk/files.ts'
import type { DiskSystem } from '../../disk/replace.ts'
import { type Host, thisHost } from './host.ts'

/** A temporary folder. */
export interface TemporaryFolder {
  readonly path: string
  readonly remove: () => Promise<void>
}

/** What the state code needs of the machine: files, processes, clock and randomness. Tests pass their own. */
export interface System extends DiskSystem {
  host: Host
  now: () => Date
  /** The environment for tools that are called, such as git. */
  env: Readonly<Record<string, string | undefined>>
  /** The current folder. */
  cwd: string
  /**
   * The flags by which the command selects its state, each after a space; added to any command that a message
   * suggests.
   */
  sameFlags: string
  /** In [0, 1). */
  random: () => number
  /** Resolves after this many milliseconds; rejects if the signal fires first. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Creates a temporary folder that only this user can access. */
  temporaryFolder: () => Promise<TemporaryFolder>
  /** Reports something to a person that must not be thrown, because it would hide another error. */
  say: (text: string) => Promise<void>
}

const temporaryFolder = async (): Promise<TemporaryFolder> => {
  const path = await mkdtemp(join(tmpdir(), 'deploymgmt-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Fills in the real file system, machine, clock and randomness for everything that is not given. */
export const systemWith = (given: Partial<System> = {}): System => ({
  files: nodeFiles,
  host: thisHost,
  now: () => new Date(),
  uuid: randomUUID,
  env: process.env,
  cwd: process.cwd(),
  sameFlags: '',
  random: Math.random,
  pause: (ms, signal) => setTimeout(ms, undefined, { signal }),
  temporaryFolder,
  say: () => Promise.resolve(),
  ...given,
})

/** The system, with the flags of a state that has its own. */
export const withFlagsOf = ({ sameFlags }: { readonly sameFlags?: string }, system: System): System =>
  sameFlags === undefined ? system : { ...system, sameFlags }
