import { StateConflictError } from '../errors/index.ts'
import type { System } from './machine/system.ts'
import type { StateFile } from './contents/model.ts'
import { headerOf, stateDigest } from './contents/serialize.ts'
import { saidBesides } from './machine/failures.ts'
import { checkedState } from './stores/state-file.ts'
import type { Hold, Store } from './stores/store.ts'
import { lockOf, type Patience } from './wait-for-lock.ts'

/** Uses a store while holding its lock, and always releases the lock. */
export const withHold =
  (command: string, patience: Patience, system: System) =>
  async <T>(store: Store, use: (hold: Hold) => Promise<T>): Promise<T> => {
    const hold = await lockOf(store, command, patience, system)
    const used = await use(hold).catch(async (error: unknown) => {
      // A failure to release the lock must not hide why nothing was done.
      await hold.release().catch(saidBesides(system))
      throw error
    })
    await hold.release()
    return used
  }

/** The words with which a command says why a state could not be written. */
export interface PutWords {
  /** What was not done. */
  readonly failed: string
  /** What is already there, if the store has a state. */
  readonly other: (there: StateFile | undefined) => string
  readonly hint: string
  /** What became of the source of the state. */
  readonly left: string
}

interface Putting {
  readonly store: Store
  readonly hold: Hold
  readonly state: StateFile
}

/**
 * Whether the state is there already.
 * @throws StateConflictError if anything else is there
 */
export const isThere = async (
  { store, hold, state }: Putting,
  words: Pick<PutWords, 'failed' | 'other' | 'hint'>,
): Promise<boolean> => {
  const found = await hold.read()
  const before = found.state && checkedState(found.state, undefined)
  if (found.journal !== undefined || (before !== undefined && stateDigest(before) !== stateDigest(state)))
    throw new StateConflictError(`${words.failed}: ${words.other(before)}`, {
      where: store.place,
      hint: words.hint,
    })
  return before !== undefined
}

/**
 * Writes a whole state if there is none, with its lineage and serial, and reads it back.
 *
 * @returns false if it was there already
 * @throws StateConflictError if anything else is there
 */
export const putState = async (putting: Putting, words: PutWords, system: System): Promise<boolean> => {
  const { store, hold, state } = putting
  const digest = stateDigest(state)
  const wasThere = await isThere(putting, words)
  if (!wasThere)
    await hold.save({ state, header: headerOf(state, system.now().toISOString(), digest), kept: [] })
  const { state: read } = await store.read()
  if (read !== undefined && stateDigest(checkedState(read, undefined)) === digest) return !wasThere
  throw new StateConflictError(`${words.failed}: what was read back is not what was written`, {
    where: store.place,
    hint: words.left,
  })
}
