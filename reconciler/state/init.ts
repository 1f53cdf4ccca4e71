import { StateConflictError } from '../errors/index.ts'
import type { Expectation } from './expectation.ts'
import { openSession } from './session.ts'
import type { Surroundings } from './surroundings.ts'

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
      throw new StateConflictError('A state file exists already; it was left as it is.', {
        where: options.statePath,
        hint: 'Use it, or name another one with --state.',
      })
    }
    await session.commit()
  } finally {
    await session.close()
  }
}
