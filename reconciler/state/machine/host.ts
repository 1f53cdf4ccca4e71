import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { systemCode } from '../../disk/files.ts'

/** The machine and the process that acquire a lock. A value is undefined if the platform does not provide it. */
export interface Host {
  name: string
  /** Distinguishes machines with the same name; a digest, because the machine id itself is not for sharing. */
  machine: string | undefined
  /** New with every boot. */
  boot: string | undefined
  /** The namespace of process ids: containers on one machine have their own. */
  pidSpace: string | undefined
  pid: number
  /** The person whose account this is. */
  user: string | undefined
  /** Start time of the process with this id, in a form that is only compared. */
  started(pid: number): Promise<string | undefined>
  /** Whether the process with this id and start time is still running. */
  isRunning(pid: number, started: string | undefined): Promise<boolean>
}

const firstLine = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

const pidSpace = (): string | undefined => {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return undefined
  }
}

const machine = (): string | undefined => {
  const id = firstLine('/etc/machine-id')
  return id === undefined
    ? undefined
    : createHash('sha256').update(`deploymgmt ${id}`).digest('hex').slice(0, 16)
}

/** A container can run under a user id without an account. */
const user = (): string | undefined => {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}

/** State letter and start time (field 22) of a process, from Linux's process table. */
const processEntry = async (pid: number): Promise<{ letter: string; started: string } | undefined> => {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'latin1')
    // The second field is the command in parentheses, which may itself contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [letter, started] = [fields[0], fields[19]]
    return letter === undefined || started === undefined ? undefined : { letter, started }
  } catch {
    return undefined
  }
}

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return systemCode(error) !== 'ESRCH'
  }
}

const isRunning = async (pid: number, started: string | undefined): Promise<boolean> => {
  if (!exists(pid)) return false
  const entry = await processEntry(pid)
  // There is no entry on other systems, or if the processes of other users are hidden; then the id decides.
  if (entry === undefined) return true
  if (entry.letter === 'Z' || entry.letter === 'X') return false
  return started === undefined || entry.started === started
}

/** This process on this machine. */
export const thisHost: Host = {
  name: hostname(),
  machine: machine(),
  boot: firstLine('/proc/sys/kernel/random/boot_id'),
  pidSpace: pidSpace(),
  pid: process.pid,
  user: user(),
  started: async (pid) => (await processEntry(pid))?.started,
  isRunning,
}
