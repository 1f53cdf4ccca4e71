import type { JournalHeader, JournalRecord } from '../contents/journal-model.ts'
import type { LockOwner } from '../lock/lock-owner.ts'
import type { MovedState, StateFile } from '../contents/model.ts'

/** A state as a store returns it, unchecked. */
export interface StoredState {
  /** The name for messages: a path, or the place of the store. */
  readonly at: string
  readonly bytes: Buffer
}

/** A journal as a store returns it. The store checks only that no record in the middle is missing. */
export interface StoredJournal {
  /** The name for messages. */
  readonly at: string
  /** The header that `append` or `save` was given when the journal was started. */
  readonly header: unknown
  /** All records since the header, in the order in which they were appended. */
  readonly records: readonly unknown[]
  /** Whether the last append was cut off; its incomplete part is left out. */
  readonly droppedTail: boolean
}

/**
 * The content of a store at one moment. If state and journal are two files, they may be of two moments while
 * somebody writes (then they do not match, and are read again), and the owner may be the one before or after.
 */
export interface Snapshot {
  /** Undefined before the first save. */
  readonly state: StoredState | undefined
  /** Undefined if nothing was appended since a save that kept nothing. */
  readonly journal: StoredJournal | undefined
  /**
   * When a lock was last removed whose owner may have been at work; ISO 8601, by the clock of the machine that did
   * it. May be undefined once `atWorkMs` is 0, or once a later hold has lasted as long as such an owner can be at
   * work; also if no owner can be at work unnoticed by this machine.
   */
  readonly unlockedAt?: string
  /**
   * When the removal was certainly done; undefined if nobody has seen it yet. ISO 8601, by the clock of the
   * observer.
   */
  readonly landedAt?: string
  /** The current lock owner; undefined if there is none, or if it has certainly ended. */
  readonly owner: LockOwner | undefined
  /** Sentences for the user. */
  readonly warnings: readonly string[]
}

/** What a save changes. */
export interface Save {
  /** Undefined if only the journal is shortened. `serializeState` produces its bytes. */
  readonly state: StateFile | MovedState | undefined
  /** The bytes of the state, if they exist already. */
  readonly bytes?: Buffer
  /** The header of the journal that continues this state. */
  readonly header: JournalHeader
  /** All records of the new journal; if there are none, there is no journal until the next append. */
  readonly kept: readonly JournalRecord[]
}

export interface Saved {
  /** A sentence for the user, if the first save has shown something of the store. */
  readonly notice?: string
  /** Why the journal could not be shortened, if the state was saved and the journal was not. */
  readonly notShortened?: string
}

/**
 * The held lock of a store, and with it the right to write. Calls are sequential, and `read` comes first. The hold
 * itself remembers what it has seen last: a write is done only if nobody else has written since and its lock is
 * still there. Otherwise it throws without a change, so an owner whose lock was removed can write nothing more.
 */
export interface Hold {
  /** The owner's id, by which `unlock` removes this lock. New with each lock. */
  readonly id: string
  /** A sentence for the user, if the lock was taken over from an owner that had ended. */
  readonly notice?: string
  /** The content, from which later calls know that nobody else has written. Throws if there is no room for more. */
  read(): Promise<Snapshot>
  /**
   * Adds records to the journal: all of them or, if it throws, any number from the first on, which the next call
   * replaces. Once it has resolved, they outlive this process and, if the store is elsewhere, its machine.
   *
   * @param header starts the journal, if there is none
   * @throws StateWriteError
   */
  append(header: JournalHeader, records: readonly JournalRecord[]): Promise<void>
  /**
   * Replaces state and journal. A reader finds the old ones or the new ones; see `Store.announces` for the
   * exception.
   *
   * @throws StateConflictError if somebody else has written; StateWriteError, after which a later save may be tried
   */
  save(change: Save): Promise<Saved>
  /**
   * Resolves if the lock is still held, and nobody else has written since.
   *
   * @throws StateConflictError if not; StateReadError if that cannot be determined
   */
  confirm(): Promise<void>
  /** Releases the lock, if it is still this one. May be called again, and after any failure. */
  release(): Promise<void>
  /** Ends the hold without releasing the lock: nobody else is to write before a person has looked. */
  keep(): Promise<void>
}

/** The lock of another process, which a person wants to be removed. */
export interface LockToRemove {
  readonly id: string
  /**
   * Whether its owner is known to have ended; if not, `Snapshot.unlockedAt` is recorded, and `landedAt` once the
   * removal is known to be visible.
   */
  readonly ownerEnded: boolean
}

/**
 * A place that keeps one state with its journal and its lock, as bytes and records; callers judge what they mean and
 * whether they belong to the manifest. Guarantees after a kill at any moment:
 *
 * - What a resolved append or save wrote is there, in order, and is read back as it was given.
 * - At most one process holds the lock. No lock is taken over because of its age; another process takes it over only
 *   if its owner has certainly ended (`isOwnerGone`, or `isGoneFromSharedLock` if other machines use the store).
 * - A write whose answer was lost is repeated, identical, until its outcome is known. What an older read shows
 *   proves nothing.
 * - No credential is in `place`, in an error, or in what is stored.
 */
export interface Store {
  /** Where it is, for people and for records: a path, or an address without credentials. */
  readonly place: string
  /**
   * Whether a save has several steps, between which a reader can find the new state with the old journal. A commit
   * record is then appended first, which shows the reader that they belong together.
   */
  readonly announces: boolean
  /** Whether an append takes so long, or leaves so much behind, that one should cover many writes. */
  readonly isDear: boolean
  /**
   * Creates what a new state needs, such as tables; called before a state is created.
   *
   * @throws StateReadError, StateWriteError
   */
  prepare?(): Promise<void>
  /** Reads without locking or writing. @throws StateReadError, JournalCorruptError */
  read(): Promise<Snapshot>
  /**
   * @param command the running command, without its arguments, because they could hold values
   * @param kept the id of a lock that its owner has kept for this command: it is taken over, if it is still there
   * @throws LockedError naming the owner; StateReadError, StateWriteError
   */
  lock(command: string, kept?: string): Promise<Hold>
  /**
   * Removes the lock of another process by a write of its own, so that the previous owner is refused from then on.
   *
   * @throws LockMismatchError if there is no lock, or another one; StateReadError, StateWriteError
   */
  unlock(lock: LockToRemove): Promise<void>
}
