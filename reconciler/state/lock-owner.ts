import { conforms, expecting, fromOne, objectOf, optional, text } from '../disk/check.ts'
import { fingerprint } from './serialize.ts'
import type { Host } from './host.ts'

/** Who holds a lock: the content of the lock file. */
export interface LockOwner {
  /** A random UUID, new for each lock that is taken. */
  id: string
  pid: number
  host: string
  machine?: string
  boot?: string
  pidSpace?: string
  /** Start time of the process, in a form that is only compared. */
  started?: string
  /** What is running: `apply`, without arguments, which could hold values. */
  command: string
  /** Since when; ISO 8601. */
  at: string
}

const ownerCheck = objectOf<LockOwner>({
  // It becomes a part of file names.
  id: expecting('an id', (value) => typeof value === 'string' && /^[\w-]{1,64}$/u.test(value)),
  pid: fromOne,
  host: text,
  machine: optional(text),
  boot: optional(text),
  pidSpace: optional(text),
  started: optional(text),
  command: text,
  at: text,
})

/** A lock file whose content cannot be understood; its id is made from its bytes. */
export interface UnreadableOwner {
  id: string
  unreadable: true
}

export const ownerHere = async (host: Host, id: string, command: string, at: string): Promise<LockOwner> => {
  const started = await host.started(host.pid)
  return {
    id,
    pid: host.pid,
    host: host.name,
    ...(host.machine === undefined ? {} : { machine: host.machine }),
    ...(host.boot === undefined ? {} : { boot: host.boot }),
    ...(host.pidSpace === undefined ? {} : { pidSpace: host.pidSpace }),
    ...(started === undefined ? {} : { started }),
    command,
    at,
  }
}

export const parseOwner = (bytes: Buffer): LockOwner | UnreadableOwner => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (conforms(ownerCheck, value)) return value
  } catch {
    // Not JSON: the same as any other content that is not an owner.
  }
  return { id: `unreadable-${fingerprint(bytes).slice(0, 12)}`, unreadable: true }
}

/**
 * Whether the owner has certainly gone. Nothing is ever concluded from age, nor about another
 * machine, nor about another container's process ids.
 */
export const isGone = async (owner: LockOwner | UnreadableOwner, host: Host): Promise<boolean> => {
  if ('unreadable' in owner) return false
  if (owner.host !== host.name || owner.machine !== host.machine) return false
  // Another boot may be another machine that was copied, or a container's; only a person can tell.
  if (owner.boot !== host.boot) return false
  if (owner.pidSpace !== host.pidSpace) return false
  return !(await host.isRunning(owner.pid, owner.started))
}

export const ownerInWords = (owner: LockOwner): string =>
  `"${owner.command}" (process ${owner.pid} on ${owner.host}, since ${owner.at})`
