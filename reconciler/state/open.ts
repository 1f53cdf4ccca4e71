import { StateConflictError } from '../errors/index.ts'
import type { Expectation } from './expectation.ts'
import { type Surroundings, surroundings } from './host.ts'
import { Session } from './session.ts'
import { storeAt } from './stores/index.ts'
import { viewOf } from './view.ts'

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
  const store = await storeAt(options.statePath, outside)
  const hold = await store.lock(options.command)
  try {
    const view = viewOf(await hold.read(), options.expect, outside)
    return new Session(store, hold, view, outside)
  } catch (error) {
    await hold.release().catch(() => undefined)
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
