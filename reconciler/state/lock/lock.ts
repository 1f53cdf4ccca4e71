import { LockedError, LockMismatchError } from '../../errors/index.ts'
import { readFailure, writeFailure } from '../machine/failures.ts'
import { systemCode } from '../../disk/files.ts'
import { claimPath, createWhole, readChain, readOwner, removeRemains } from './lock-files.ts'
import { isOwnerGone, type LockOwner, ownerHere } from './lock-owner.ts'
import { deadLink, lockChanging, locked, lockMismatch, noLock, takenOver } from './lock-words.ts'
import { lockPath, resolveTarget } from '../machine/paths.ts'
import { type System, systemWith } from '../machine/system.ts'

/** A lock that this process holds. */
export interface StateLock {
  readonly id: string
  /** A sentence for the user, if the lock was taken over from a dead owner. */
  readonly notice?: string
  /** Whether the lock is still the acquired one. */
  isHeld(): Promise<boolean>
  /** Removes the lock if it is still the acquired one; may be called again. */
  release(): Promise<void>
}

/** A round is lost only to the progress of another process, so many lost rounds mean a defect. */
const rounds = 20

/**
 * Acquires the lock of a state: one writer at a time. If the owner is dead, on this machine, exactly one of the
 * contenders takes the lock over.
 *
 * @param info `command` names the running command, without arguments; `at` is now, ISO 8601
 * @throws LockedError naming the owner; StateWriteError, StateReadError
 */
export const acquireLock = async (
  statePath: string,
  info: { command: string; at: string },
  given: Partial<System> = {},
): Promise<StateLock> => {
  const system = systemWith(given)
  const lock = lockPath(await resolveTarget(system.files, statePath))
  const me = await ownerHere(system, info.command, info.at)
  const failed = (error: unknown) =>
    error instanceof LockedError ? error : writeFailure('the lock', lock, error)
  try {
    for (let round = 0; round < rounds; round += 1) {
      const taken = await attempt(system, lock, me)
      if (taken === undefined) continue
      await removeRemains(system, lock)
      return {
        id: me.id,
        ...(taken.from === undefined ? {} : { notice: takenOver(taken.from) }),
        isHeld: () => isHeld(system, lock, me.id),
        release: () => release(system, lock, me.id),
      }
    }
  } catch (error) {
    throw failed(error)
  }
  await refuseDeadLink(system, lock)
  throw lockChanging(lock)
}

/**
 * The owner at work on a state, or undefined if there is none; the lock of a dead owner does not count, nor does one
 * that cannot be read: it does not hinder a command that takes no lock.
 */
export const currentOwner = async (
  statePath: string,
  given: Partial<System> = {},
): Promise<LockOwner | undefined> => {
  const system = systemWith(given)
  const lock = lockPath(await resolveTarget(system.files, statePath))
  const owner = (await readChain(system, lock).catch(() => [])).at(-1)
  if (owner === undefined || 'unreadable' in owner || (await isOwnerGone(owner, system.host)))
    return undefined
  return owner
}

/**
 * Removes the lock of another process by its id: for `state unlock`.
 *
 * @throws LockMismatchError if there is no lock, or a different one; StateReadError, StateWriteError
 */
export const unlock = async (statePath: string, id: string, given: Partial<System> = {}): Promise<void> => {
  const system = systemWith(given)
  const { files } = system
  const lock = lockPath(await resolveTarget(files, statePath))
  const chain = await readChain(system, lock).catch((error: unknown) => {
    throw readFailure('the lock', lock, error)
  })
  const owner = chain.at(-1)
  if (owner === undefined) {
    await refuseDeadLink(system, lock)
    throw noLock(lock)
  }
  if (owner.id !== id) throw lockMismatch(lock, id, owner, system)
  const me = await ownerHere(system, 'state unlock')
  try {
    // The claim keeps out those who would take over the same lock at this moment.
    if (!(await createWhole(system, claimPath(lock, id), me))) throw lockMismatch(lock, id, undefined, system)
    const now = await readChain(system, lock)
    if (now.at(-1)?.id === me.id) await files.unlink(lock)
    // Removes only this claim: whoever does not hold the lock must not touch the claims of others.
    await files.unlink(claimPath(lock, id)).catch(() => undefined)
    if (now.at(-1)?.id !== me.id) throw lockMismatch(lock, id, now.at(-1), system)
  } catch (error) {
    throw error instanceof LockMismatchError ? error : writeFailure('the lock', lock, error)
  }
}

/** Its name is taken, and yet there is nothing to read. @throws StateWriteError */
const refuseDeadLink = async ({ files }: System, lock: string): Promise<void> => {
  const isLink = await files.readLink(lock).then(
    () => true,
    () => false,
  )
  if (isLink) throw deadLink(lock)
}

/** One round: undefined if another process has acted meanwhile. */
const attempt = async (
  system: System,
  lock: string,
  me: LockOwner,
): Promise<{ from?: LockOwner } | undefined> => {
  const { files } = system
  if (await createWhole(system, lock, me)) return {}
  const owner = (await readChain(system, lock)).at(-1)
  if (owner === undefined) return undefined
  if ('unreadable' in owner || !(await isOwnerGone(owner, system.host))) throw locked(lock, owner, system)
  const claim = claimPath(lock, owner.id)
  if (!(await createWhole(system, claim, me))) return undefined
  try {
    // The lock may have moved on before the claim was made; then the claim is worth nothing. As long as it has not,
    // nobody but the claimant may replace it.
    if ((await readChain(system, lock)).at(-1)?.id !== me.id) return undefined
    await files.rename(claim, lock)
    return { from: owner }
  } finally {
    await files.unlink(claim).catch(() => undefined)
  }
}

/** Called before each append: a claim from this owner changes nothing until it replaces the lock. */
const isHeld = async ({ files }: System, lock: string, id: string): Promise<boolean> => {
  const owner = await readOwner(files, lock).catch((error: unknown) => {
    throw readFailure('the lock', lock, error)
  })
  return owner?.id === id
}

const release = async ({ files }: System, lock: string, id: string): Promise<void> => {
  try {
    const owner = await readOwner(files, lock)
    if (owner?.id === id) await files.unlink(lock)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw writeFailure('the lock', lock, error)
  }
}
