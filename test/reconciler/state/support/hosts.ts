import { type Host, type LockOwner, thisHost } from '../../../../reconciler/state/index.ts'
import { at } from './samples.ts'

/** Higher than every process id of a system. */
export const deadPid = 999_999_999

/** A machine whose running processes the test chooses. */
export const hostWith = (pid: number, isAlive: (pid: number) => boolean): Host => ({
  name: 'here',
  machine: 'machine-1',
  boot: 'boot-1',
  pidSpace: 'space-1',
  pid,
  user: undefined,
  started: (of) => Promise.resolve(`start of ${of}`),
  isRunning: (of, started) => Promise.resolve(isAlive(of) && started === `start of ${of}`),
})

/** This machine, seen from a process that has ended. */
export const deadHost: Host = { ...thisHost, pid: deadPid, started: () => Promise.resolve('1') }

/** What `hostWith(pid)` writes into a lock. */
export const ownerOf = (pid: number, change: Partial<LockOwner> = {}): LockOwner => ({
  id: `id-of-${pid}`,
  pid,
  host: 'here',
  machine: 'machine-1',
  boot: 'boot-1',
  pidSpace: 'space-1',
  started: `start of ${pid}`,
  command: 'apply',
  at,
  ...change,
})
