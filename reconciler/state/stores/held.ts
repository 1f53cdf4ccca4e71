import { StateReadError, StateWriteError } from '../../errors/index.ts'
import type { Surroundings } from '../machine/host.ts'
import { isGoneFromSharedLock, type LockOwner, type UnreadableOwner } from '../lock/lock-owner.ts'
import { locked, unlockCommand } from '../lock/lock-words.ts'
import { AT_WORK_MS, atWorkMs, type Unlocked } from '../lock/ownership.ts'

/** Who holds a lock, as a snapshot has it: nobody whose command has certainly ended. */
export const busyOf = async (
  owner: LockOwner | UnreadableOwner | undefined,
  outside: Pick<Surroundings, 'host'>,
): Promise<LockOwner | undefined> =>
  owner === undefined || 'unreadable' in owner || (await hasEnded(owner, outside)) ? undefined : owner

/** Whether an owner is certainly not at work any more; of one that cannot be read nobody knows. */
export const hasEnded = async (
  owner: LockOwner | UnreadableOwner,
  { host }: Pick<Surroundings, 'host'>,
): Promise<boolean> => !('unreadable' in owner) && (await isGoneFromSharedLock(owner, host))

/** Who asks for a lock, and the id of the one that was kept for it, if any. */
export interface Asking {
  readonly command: string
  readonly kept: string | undefined
}

/**
 * The owner from whom a lock is taken over, as its command has ended; none if nobody has it.
 *
 * @param kept the id of a lock whose owner has ended for certain
 * @throws LockedError
 */
export const formerAt = async (
  place: string,
  owner: LockOwner | UnreadableOwner | undefined,
  kept: string | undefined,
  outside: Pick<Surroundings, 'host' | 'sameFlags'>,
): Promise<LockOwner | undefined> => {
  if (owner === undefined) return undefined
  if (owner.id === kept) return 'unreadable' in owner ? undefined : owner
  if ('unreadable' in owner || !(await hasEnded(owner, outside))) throw locked(place, owner, outside)
  return owner
}

/** Opens something for one call, and ends it with that; a lock that is taken keeps it, and ends it itself. */
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

/** @throws StateWriteError with what removes the lock, where `work` could not give it back */
export const givingBack = async (
  id: string,
  flags: Pick<Surroundings, 'sameFlags'>,
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

/** Until when a hold has to tell of an owner whose lock was taken away before. */
export class FormerOwner {
  readonly #now: () => Date
  #unlocked: Unlocked = {}
  #readAt = 0

  constructor({ now }: Pick<Surroundings, 'now'>) {
    this.#now = now
  }

  /** What the hold has read: by then the lock was this one's. */
  read({ unlockedAt, landedAt }: Unlocked): void {
    this.#unlocked = { unlockedAt, landedAt }
    this.#readAt = this.#now().getTime()
  }

  /** There was one, and nobody has to wait for it any more: the next write takes it out. */
  get isOver(): boolean {
    const now = this.#now()
    const isLongHeld = now.getTime() - this.#readAt > AT_WORK_MS
    return this.#unlocked.unlockedAt !== undefined && (isLongHeld || atWorkMs(this.#unlocked, now) === 0)
  }
}
