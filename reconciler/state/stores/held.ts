import { StateReadError, StateWriteError } from '../../errors/index.ts'
import type { System } from '../machine/system.ts'
import { isGoneFromSharedLock, type LockOwner, type UnreadableOwner } from '../lock/lock-owner.ts'
import { locked, unlockCommand } from '../lock/lock-words.ts'
import { AT_WORK_MS, atWorkMs, type Unlocked } from '../lock/ownership.ts'

/** The lock owner of a snapshot; undefined if the owner's command has certainly ended. */
export const busyOf = async (
  owner: LockOwner | UnreadableOwner | undefined,
  system: Pick<System, 'host'>,
): Promise<LockOwner | undefined> =>
  owner === undefined || 'unreadable' in owner || (await hasOwnerEnded(owner, system)) ? undefined : owner

/** Whether an owner has certainly ended; false for one that cannot be read. */
export const hasOwnerEnded = async (
  owner: LockOwner | UnreadableOwner,
  { host }: Pick<System, 'host'>,
): Promise<boolean> => !('unreadable' in owner) && (await isGoneFromSharedLock(owner, host))

/** Who asks for a lock, and the id of the lock that was kept for it, if any. */
export interface Asking {
  readonly command: string
  readonly kept: string | undefined
}

/**
 * The owner from whom the lock is taken over because its command has ended; undefined if the lock is free.
 *
 * @param kept the id of a lock whose owner has certainly ended
 * @throws LockedError
 */
export const formerAt = async (
  place: string,
  owner: LockOwner | UnreadableOwner | undefined,
  kept: string | undefined,
  system: Pick<System, 'host' | 'sameFlags'>,
): Promise<LockOwner | undefined> => {
  if (owner === undefined) return undefined
  if (owner.id === kept) return 'unreadable' in owner ? undefined : owner
  if ('unreadable' in owner || !(await hasOwnerEnded(owner, system))) throw locked(place, owner, system)
  return owner
}

/** Opens a resource for one call, and closes it with the call; a hold keeps the resource and closes it itself. */
export const opening = <R>(open: () => Promise<R>, end: (opened: R) => Promise<void>) => ({
  async once<T>(work: (opened: R) => Promise<T>): Promise<T> {
    const opened = await open()
    try {
      return await work(opened)
    } finally {
      await end(opened)
    }
  },
  async kept<T>(work: (opened: R) => Promise<T>): Promise<T> {
    const opened = await open()
    try {
      return await work(opened)
    } catch (error) {
      await end(opened)
      throw error
    }
  },
})

/** @throws StateWriteError with the command that removes the lock, if `work` failed to release it */
export const sayingStillLocked = async (
  id: string,
  flags: Pick<System, 'sameFlags'>,
  work: () => Promise<void>,
): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StateWriteError || error instanceof StateReadError)) throw error
    const hint = `The state is still locked: ${unlockCommand(id, flags)}`
    throw new StateWriteError(error.message, { where: error.where, hint, cause: error })
  }
}

/** For how long a hold must report an owner whose lock was removed before. */
export class FormerOwner {
  readonly #now: () => Date
  #unlocked: Unlocked = {}
  #readAt = 0

  constructor({ now }: Pick<System, 'now'>) {
    this.#now = now
  }

  /** Notes what the hold has read: by then, the lock was this hold's. */
  read({ unlockedAt, landedAt }: Unlocked): void {
    this.#unlocked = { unlockedAt, landedAt }
    this.#readAt = this.#now().getTime()
  }

  /** There was such an owner, and nobody has to wait for it any more: the next write drops it. */
  get isOver(): boolean {
    const now = this.#now()
    const isLongHeld = now.getTime() - this.#readAt > AT_WORK_MS
    return this.#unlocked.unlockedAt !== undefined && (isLongHeld || atWorkMs(this.#unlocked, now) === 0)
  }
}
