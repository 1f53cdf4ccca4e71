import { LockedError, LockMismatchError } from '../errors/index.ts'
import { readFailure, writeFailure } from './failures.ts'
import { systemCode } from '../disk/files.ts'
import { claimPath, createWhole, readChain, removeRemains } from './lock-files.ts'
import { isGone, type LockOwner, ownerHere, ownerInWords, type UnreadableOwner } from './lock-owner.ts'
import { lockPath, resolveTarget } from './paths.ts'
import { type Surroundings, surroundings } from './host.ts'

/** A lock that this process holds. */
export interface StateLock {
  id: string
  /** A sentence for the user, if the lock was taken over from a dead owner. */
  notice?: string
  /** Removes the lock if it is still this one; may be called again. */
  release(): Promise<void>
}

/** Each round is lost only to somebody else's progress, so that more than a few mean a defect. */
const rounds = 20

/**
 * Takes the lock of a state: one writer at a time. A lock whose owner is dead, on this machine, is
 * taken over by exactly one of those who try.
 *
 * @param info `command` names what is running, without arguments; `at` is now, ISO 8601
 * @throws LockedError naming the owner; StateWriteError, StateReadError
 */
export const acquireLock = async (
  statePath: string,
  info: { command: string; at: string },
  given: Partial<Surroundings> = {},
): Promise<StateLock> => {
  const outside = surroundings(given)
  const lock = lockPath(await resolveTarget(outside.files, statePath))
  const me = await ownerHere(outside.host, outside.uuid(), info.command, info.at)
  const failed = (error: unknown) =>
    error instanceof LockedError ? error : writeFailure('the lock', lock, error)
  try {
    for (let round = 0; round < rounds; round += 1) {
      const taken = await attempt(outside, lock, me)
      if (taken === undefined) continue
      await removeRemains(outside, lock)
      return {
        id: me.id,
        ...(taken.from === undefined ? {} : { notice: takenOver(taken.from) }),
        release: () => release(outside, lock, me.id),
      }
    }
  } catch (error) {
    throw failed(error)
  }
  throw new LockedError('the lock changes hands too fast to be taken', { where: lock, hint: 'Try again.' })
}

/** The one at work on a state, or undefined if nobody is; a dead owner's lock counts as nobody's. */
export const currentOwner = async (
  statePath: string,
  given: Partial<Surroundings> = {},
): Promise<LockOwner | undefined> => {
  const outside = surroundings(given)
  const lock = lockPath(await resolveTarget(outside.files, statePath))
  const owner = (await readChain(outside, lock).catch(() => [])).at(-1)
  if (owner === undefined || 'unreadable' in owner || (await isGone(owner, outside.host))) return undefined
  return owner
}

/**
 * Removes somebody else's lock by its id: for `state unlock`.
 *
 * @throws LockMismatchError if there is no lock, or another one; StateReadError, StateWriteError
 */
export const unlock = async (
  statePath: string,
  id: string,
  given: Partial<Surroundings> = {},
): Promise<void> => {
  const outside = surroundings(given)
  const { files, host, uuid } = outside
  const lock = lockPath(await resolveTarget(files, statePath))
  const chain = await readChain(outside, lock).catch((error: unknown) => {
    throw readFailure('the lock', lock, error)
  })
  const owner = chain.at(-1)
  if (owner === undefined) throw noLock(lock)
  if (owner.id !== id) throw mismatch(lock, id, owner)
  const me = await ownerHere(host, uuid(), 'state unlock', outside.now().toISOString())
  try {
    // The claim keeps those out who would take over the same lock at this moment.
    if (!(await createWhole(outside, claimPath(lock, id), me))) throw mismatch(lock, id, undefined)
    const now = await readChain(outside, lock)
    if (now.at(-1)?.id === me.id) await files.unlink(lock)
    // Nothing but this one claim: who does not hold the lock must not touch the claims of others.
    await files.unlink(claimPath(lock, id)).catch(() => undefined)
    if (now.at(-1)?.id !== me.id) throw mismatch(lock, id, now.at(-1))
  } catch (error) {
    throw error instanceof LockMismatchError ? error : writeFailure('the lock', lock, error)
  }
}

/** One round: undefined if somebody else has moved meanwhile. */
const attempt = async (
  outside: Surroundings,
  lock: string,
  me: LockOwner,
): Promise<{ from?: LockOwner } | undefined> => {
  const { files } = outside
  if (await createWhole(outside, lock, me)) return {}
  const owner = (await readChain(outside, lock)).at(-1)
  if (owner === undefined) return undefined
  if ('unreadable' in owner || !(await isGone(owner, outside.host))) throw locked(lock, owner)
  const claim = claimPath(lock, owner.id)
  if (!(await createWhole(outside, claim, me))) return undefined
  try {
    // The lock may have moved on before the claim was made; then the claim is worth nothing. As long
    // as it has not, nobody but the claimant may replace it.
    if ((await readChain(outside, lock)).at(-1)?.id !== me.id) return undefined
    await files.rename(claim, lock)
    return { from: owner }
  } finally {
    await files.unlink(claim).catch(() => undefined)
  }
}

const release = async ({ files }: Surroundings, lock: string, id: string): Promise<void> => {
  try {
    const [owner] = await readChain({ files }, lock)
    if (owner?.id === id) await files.unlink(lock)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw writeFailure('the lock', lock, error)
  }
}

const takenOver = (owner: LockOwner): string =>
  `Took over the lock of ${ownerInWords(owner)}, which is no longer running.`

const locked = (lock: string, owner: LockOwner | UnreadableOwner): LockedError => {
  const command = `deploymgmt state unlock ${owner.id}`
  if ('unreadable' in owner) {
    return new LockedError('the state is locked, and its lock file does not tell by whom', {
      where: lock,
      hint: `If no other command is at work on this state, run: ${command}`,
    })
  }
  return new LockedError(`the state is locked by ${ownerInWords(owner)}`, {
    where: lock,
    hint: `Wait until it has ended. If it certainly has, run: ${command}`,
  })
}

const noLock = (lock: string): LockMismatchError =>
  new LockMismatchError('there is no lock: the state is not locked', {
    where: lock,
    hint: 'Nothing has to be done. If a command met a lock, name its state with --state.',
  })

/** @param owner none where the lock was taken over or released at this moment */
const mismatch = (
  lock: string,
  id: string,
  owner: LockOwner | UnreadableOwner | undefined,
): LockMismatchError => {
  const what = `the lock ${JSON.stringify(id)} was not removed`
  if (owner === undefined) {
    return new LockMismatchError(`${what}: another command is taking it over, or it has just gone`, {
      where: lock,
      hint: 'Run the command that met the lock again.',
    })
  }
  const found =
    'unreadable' in owner
      ? `the lock there has the id ${owner.id}`
      : `the lock there is ${owner.id}, held by ${ownerInWords(owner)}`
  return new LockMismatchError(`${what}: ${found}`, {
    where: lock,
    hint: `If the command that holds it has certainly ended, run: deploymgmt state unlock ${owner.id}`,
  })
}
