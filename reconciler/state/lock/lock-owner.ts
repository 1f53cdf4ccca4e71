import { printable } from '@deploymgmt/provider/api'
import { sayMoment } from '@deploymgmt/provider/words'
import { conforms, expecting, fromOne, optional, shapeOf, text, type TypeOf } from '../../disk/check.ts'
import { fingerprint } from '../contents/serialize.ts'
import type { Host } from '../machine/host.ts'
import type { System } from '../machine/system.ts'
import { pipelineIn } from '../machine/pipeline.ts'

/** Who holds a lock: the content of the lock file. */
export type LockOwner = TypeOf<typeof ownerCheck>

const ownerCheck = shapeOf({
  /** A random UUID, new for each acquired lock; it becomes part of file names. */
  id: expecting<string>('an id', (value) => typeof value === 'string' && /^[\w-]{1,64}$/u.test(value)),
  pid: fromOne,
  host: text,
  machine: optional(text),
  boot: optional(text),
  pidSpace: optional(text),
  /** Start time of the process, in a form that is only compared. */
  started: optional(text),
  /** The running command, such as `apply`, without arguments, because they could hold values. */
  command: text,
  /** When the lock was acquired; ISO 8601. */
  at: text,
  /** The person, or the CI system of the pipeline. */
  by: optional(text),
  /** Where to look at this pipeline run. */
  run: optional(text),
})

/** A lock file whose content cannot be understood; its id is derived from its bytes. */
export interface UnreadableOwner {
  id: string
  unreadable: true
}

/** When the lock was acquired, by the clock of its owner; undefined if that cannot be read. */
export const takenAt = (owner: LockOwner | UnreadableOwner | undefined): string | undefined =>
  owner === undefined || 'unreadable' in owner ? undefined : owner.at

/** @param at when the lock is acquired; ISO 8601 */
export const ownerHere = async (
  { host, env, uuid, now }: Pick<System, 'host' | 'env' | 'uuid' | 'now'>,
  command: string,
  at = now().toISOString(),
): Promise<LockOwner> => {
  const { pid, name, machine, boot, pidSpace, user } = host
  const started = await host.started(pid)
  const who = pipelineIn(env) ?? { by: user }
  return { id: uuid(), pid, host: name, machine, boot, pidSpace, started, command, at, ...who }
}

export const parseOwner = (bytes: Buffer): LockOwner | UnreadableOwner => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (conforms(ownerCheck, value)) return value
  } catch {
    // Not JSON: treated like any other content that is not an owner.
  }
  return { id: `unreadable-${fingerprint(bytes).slice(0, 12)}`, unreadable: true }
}

/**
 * Whether the owner has certainly ended. Nothing is concluded from age, nor about another machine, nor about the
 * process ids of another container.
 */
export const isOwnerGone = async (owner: LockOwner | UnreadableOwner, host: Host): Promise<boolean> => {
  if ('unreadable' in owner || !isOf(owner, host)) return false
  return !(await host.isRunning(owner.pid, owner.started))
}

/** Whether the owner is at work on this machine, as far as its processes tell. */
export const isRunningHere = async (owner: LockOwner, host: Host): Promise<boolean> =>
  isOf(owner, host) && (await host.isRunning(owner.pid, owner.started))

/** Another boot id may mean a copy of the machine, or a container; only a person can tell. */
const isOf = (owner: LockOwner, host: Host): boolean =>
  owner.host === host.name &&
  owner.machine === host.machine &&
  owner.boot === host.boot &&
  owner.pidSpace === host.pidSpace

/**
 * The same for a lock that other machines can acquire too. Two machines to which the platform gives no ids can have
 * the same name; then nothing is concluded.
 */
export const isGoneFromSharedLock = async (
  owner: LockOwner | UnreadableOwner,
  host: Host,
): Promise<boolean> => {
  const isOneOfItsName = host.boot !== undefined && (host.machine ?? host.pidSpace) !== undefined
  return isOneOfItsName && (await isOwnerGone(owner, host))
}

/** Describes who the owner is and where it runs, so that a person can find it. */
export const whereabouts = ({ pid, host, at, by, run }: LockOwner): string =>
  [
    `process ${pid} on ${host}`,
    `since ${sayMoment(at)}`,
    ...(by === undefined ? [] : [`by ${by}`]),
    ...(run === undefined ? [] : [run]),
  ]
    // Anybody who can write to the store may have written it.
    .map((part) => printable(part))
    .join(', ')

export const ownerInWords = (owner: LockOwner): string =>
  `"${printable(owner.command)}" (${whereabouts(owner)})`
