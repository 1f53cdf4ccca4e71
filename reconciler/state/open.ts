import { dirname } from 'node:path'
import { StateConflictError, StateWriteError } from '../errors/index.ts'
import type { Expectation } from './expectation.ts'
import { acquireLock } from './lock.ts'
import { resolveTarget } from './paths.ts'
import { serializeState } from './serialize.ts'
import { Session } from './session.ts'
import { type Surroundings, surroundings } from './host.ts'
import { readView } from './view.ts'

/** Room that has to be free before anything is sent: results of writes must have a place. Bytes. */
const spareRoom = 1024 * 1024

/**
 * Takes the lock, reads state and journal, and recovers. Nothing but the lock is written before the
 * first record or commit.
 *
 * @param options `command` names what is running, without arguments
 * @throws LockedError, StateReadError, StateCorruptError, StateVersionError, StateMismatchError,
 *   JournalCorruptError, JournalMismatchError, StateWriteError
 */
export const openSession = async (
  options: { statePath: string; expect: Expectation; command: string },
  given: Partial<Surroundings> = {},
): Promise<Session> => {
  const outside = surroundings(given)
  const target = await resolveTarget(outside.files, options.statePath)
  const at = outside.now().toISOString()
  const lock = await acquireLock(target, { command: options.command, at }, outside)
  try {
    const view = await readView(target, options.expect, outside)
    await refuseFullDisk(target, serializeState(view.saved).length, outside)
    return new Session(target, view, lock, outside)
  } catch (error) {
    await lock.release().catch(() => undefined)
    throw error
  }
}

/**
 * Writes the first, empty state of a manifest and service: for `state init`. A journal that was
 * begun before there was a state is replayed into it.
 *
 * @throws StateConflictError if a state exists; what `openSession` and `commit` throw
 */
export const initState = async (
  options: { statePath: string; expect: Expectation; command: string },
  given: Partial<Surroundings> = {},
): Promise<void> => {
  const session = await openSession(options, given)
  try {
    if (session.exists) {
      throw new StateConflictError('a state file exists already; it was left as it is', {
        where: options.statePath,
        hint: 'Use it, or name another one with --state.',
      })
    }
    await session.commit()
  } finally {
    await session.close()
  }
}

const refuseFullDisk = async (target: string, size: number, { files }: Surroundings): Promise<void> => {
  const free = await files.free(dirname(target)).catch(() => undefined)
  const needed = spareRoom + 2 * size
  if (free === undefined || free >= needed) return
  throw new StateWriteError(`the disk has ${free} bytes free; ${needed} are wanted before anything is sent`, {
    where: target,
  })
}
