import { conforms, expecting, fromOne, optional, shapeOf, text, type TypeOf } from '../disk/check.ts'
import { fingerprint } from './serialize.ts'
import type { Host } from './host.ts'

/** Who holds a lock: the content of the lock file. */
export type LockOwner = TypeOf<typeof ownerCheck>

const ownerCheck = shapeOf({
  /** A random UUID, new for each lock that is taken; it becomes a part of file names. */
  id: expecting<string>('an id', (value) => typeof value === 'string' && /^[\w-]{1,64}$/u.test(value)),
  pid: fromOne,
  host: text,
  machine: optional(text),
  boot: optional(text),
  pidSpace: optional(text),
  /** Start time of the process, in a form that is only compared. */
  started: optional(text),
  /** What is running: `apply`, without arguments, which could hold values. */
  command: text,
  /** Since when; ISO 8601. */
  at: text,
})

/** A lock file whose content cannot be understood; its id is made from its bytes. */
export interface UnreadableOwner {
  id: string
  unreadable: true
}

export const ownerHere = async (host: Host, id: string, command: string, at: string): Promise<LockOwner> => {
  const { pid, name, machine, boot, pidSpace } = host
  return { id, pid, host: name, machine, boot, pidSpace, started: await host.started(pid), command, at }
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

/**
 * The same for a lock that other machines can take too: two that a platform gives no ids can have one name, and then
 * nothing is concluded.
 */
export const isGoneFromSharedLock = async (
  owner: LockOwner | UnreadableOwner,
  host: Host,
): Promise<boolean> => {
  const isOneOfItsName = host.boot !== undefined && (host.machine ?? host.pidSpace) !== undefined
  return isOneOfItsName && (await isGone(owner, host))
}

export const ownerInWords = (owner: LockOwner): string =>
  `"${owner.command}" (process ${owner.pid} on ${owner.host}, since ${owner.at})`
