import { StateAddressError, StateConflictError } from '../errors/index.ts'
import type { Expectation } from './contents/expectation.ts'
import type { StateFile } from './contents/model.ts'
import { type System, systemWith, withFlagsOf } from './machine/system.ts'
import { saidBesides } from './machine/failures.ts'
import { isRunningHere, ownerInWords } from './lock/lock-owner.ts'
import { stillRunning } from './lock/lock-words.ts'
import { Session } from './session.ts'
import { checkedState } from './stores/state-file.ts'
import { schemeOf } from './machine/paths.ts'
import type { Where } from './stores/address.ts'
import { storeAt } from './stores/index.ts'
import type { LockToRemove, Snapshot, Store } from './stores/store.ts'
import { type View, viewOf } from './view.ts'
import { lockOf, type Patience } from './wait-for-lock.ts'
import { withSession } from './with-session.ts'

/** A state and the manifest that must own it. */
export interface Stated extends Where {
  readonly expect: Expectation
  /** Files that hold a state of the same manifest, each with the command that moves it here. */
  readonly elsewhere?: readonly { readonly path: string; readonly moves: string }[]
}

/** A state that is opened for writing. */
interface Opening extends Stated, Patience {
  /** The running command, without its arguments. */
  readonly command: string
}

/** The store of a manifest's state. */
export const storeOf = (stated: Stated, system: System): Promise<Store> =>
  storeAt({ ...stated, name: stated.expect.name }, system)

/**
 * Acquires the lock, reads state and journal, and recovers. Nothing but the lock is written before the first record
 * or commit.
 *
 * @throws LockedError, StateReadError, StateCorruptError, StateVersionError, StateMismatchError, StateAddressError,
 * JournalCorruptError, JournalMismatchError, StateWriteError
 */
export const openSession = async (options: Opening, given: Partial<System> = {}): Promise<Session> => {
  const system = withFlagsOf(options, systemWith(given))
  const store = await storeOf(options, system)
  const hold = await lockOf(store, options.command, options, system)
  try {
    const view = viewOf(await hold.read(), options.expect, system)
    const notices = [...view.notices, ...noticeElsewhere(store, options, view)]
    const isHere = schemeOf(options.statePath) === undefined
    const folder = isHere ? undefined : (options.folder ?? system.cwd)
    return new Session(store, hold, { ...view, notices }, { system, rescueFolder: folder })
  } catch (error) {
    await hold.release().catch(saidBesides(system))
    throw error
  }
}

/**
 * Writes the first, empty state of a manifest and service: for `state init`. A journal from before the first save is
 * replayed into it.
 *
 * @returns where the state is, for people, and sentences for them
 * @throws StateConflictError if a state exists; what `openSession` and `commit` throw
 */
export const initState = async (
  options: Opening,
  given: Partial<System> = {},
): Promise<Pick<Session, 'place' | 'notices'>> => {
  await (await storeOf(options, systemWith(given))).prepare?.()
  return withSession(await openSession(options, given), async (session) => {
    if (session.exists) {
      throw new StateConflictError('a state already exists; it was left as it is', {
        where: session.place,
        hint:
          options.command === 'init'
            ? 'No manifest was written either. Write one for it by hand, or name another place for the new state with --state.'
            : 'Use it, or name another one with --state.',
      })
    }
    session.noted({ pending: { since: systemWith(given).now().toISOString() } })
    await session.commit()
    const { place, notices } = session
    return { place, notices }
  })
}

/** The owner that a state itself names, and which history it is of. */
type Named = Expectation & Pick<StateFile, 'lineage'>

/** What a state says of itself; undefined if there is no state. */
export const expectedAt = async (where: Where, system: System): Promise<Named | undefined> => {
  const { state } = await readStored(where, system)
  return state && checkedState(state, undefined)
}

/** The content of a store, unchecked and read without the lock. */
export const readStored = async (where: Where, system: System): Promise<Snapshot> =>
  (await storeAt(where, system)).read()

/**
 * The owner of this lock in words, if it is running on this machine.
 *
 * @throws LockedError if somebody says that it has ended
 */
export const runningOwner = async (
  where: Where,
  { id, ownerEnded }: LockToRemove,
  given: System,
): Promise<string | undefined> => {
  const system = withFlagsOf(where, given)
  const store = await storeAt(where, system)
  // What cannot be read does not keep a lock from being removed.
  const { owner } = await store.read().catch((): Partial<Snapshot> => ({}))
  if (owner?.id !== id || !(await isRunningHere(owner, system.host))) return undefined
  if (ownerEnded) throw stillRunning(store.place, owner, system)
  return ownerInWords(owner)
}

/** Removes the lock of another process. @throws what `Store.unlock` throws */
export const unlockState = async (
  where: Where,
  { id, ownerEnded = false }: { readonly id: string; readonly ownerEnded?: boolean },
  given: Partial<System> = {},
): Promise<void> => {
  await (await storeAt(where, systemWith(given))).unlock({ id, ownerEnded })
}

/**
 * Warns of a state at a place that nobody uses: it is a second memory of the same things.
 *
 * @throws StateAddressError if it is the only one
 */
export const noticeElsewhere = (
  { place }: Pick<Store, 'place'>,
  { elsewhere = [] }: Pick<Stated, 'elsewhere'>,
  { fingerprint }: Pick<View, 'fingerprint'>,
): string[] => {
  const [other] = elsewhere
  if (other === undefined) return []
  if (fingerprint !== undefined)
    return [
      `There is another state of this manifest at ${other.path}, which is not used: move it out of the way.`,
    ]
  throw new StateAddressError(
    `a state of this manifest is at ${other.path}, not where the command looks for it`,
    {
      where: place,
      hint: `Move it there: ${other.moves}. Or name it with --state, or in the manifest under \`state\`.`,
    },
  )
}
