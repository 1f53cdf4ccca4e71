import type { JournalHeader, JournalRecord } from '../contents/journal-model.ts'
import type { LockOwner } from '../lock/lock-owner.ts'
import type { MovedState, StateFile } from '../contents/model.ts'

/** A state as a store gives it back: nothing of it is checked. */
export interface StoredState {
  /** What messages call it: a path, or the place of the store. */
  readonly at: string
  readonly bytes: Buffer
}

/** A journal as a store gives it back: nothing of it is checked but that no record in the middle is missing. */
export interface StoredJournal {
  /** What messages call it. */
  readonly at: string
  /** What `append` or `save` was given as header when the journal was begun. */
  readonly header: unknown
  /** All records since, in the order in which they were appended. */
  readonly records: readonly unknown[]
  /** The last append was cut off in the middle, and what is incomplete of it is left out. */
  readonly droppedTail: boolean
}

/**
 * What a store holds at one moment. A store whose state and journal are two things may give a state and a journal
 * of two moments while somebody writes (they do not fit then, and are read again), and names an owner of before or
 * after.
 */
export interface Snapshot {
  /** Undefined before the first save. */
  readonly state: StoredState | undefined
  /** Undefined where nothing was appended since a save that kept nothing. */
  readonly journal: StoredJournal | undefined
  /**
   * When a lock was last taken away whose owner may have been at work; ISO 8601, by the clock of the machine that did
   * it. May be undefined once `atWorkMs` is 0, or a later hold has lasted for as long as such an owner can be at
   * work; and where nobody can be at work unnoticed by this machine.
   */
  readonly unlockedAt?: string
  /** By when that was certainly done; undefined if nobody has seen it yet. ISO 8601, by the clock of who has. */
  readonly landedAt?: string
  /** Who is at work; undefined if nobody is, or its owner has certainly ended. */
  readonly owner: LockOwner | undefined
  /** Sentences for the user. */
  readonly warnings: readonly string[]
}

/** What a save changes. */
export interface Save {
  /** Undefined if it stays as it is, and only the journal gets shorter. `serializeState` gives its bytes. */
  readonly state: StateFile | MovedState | undefined
  /** Its bytes, where they were made already. */
  readonly bytes?: Buffer
  /** Of the journal that goes on from this state. */
  readonly header: JournalHeader
  /** All that this journal holds; if that is nothing, there is no journal until the next append. */
  readonly kept: readonly JournalRecord[]
}

export interface Saved {
  /** Why the journal is still the one of before, where the state was saved and it could not be shortened. */
  readonly notShortened?: string
}

/**
 * The lock of a store, held, and with it the right to write. Calls come one after the other, each after the one
 * before has ended; `read` comes first. What it has seen last is its own affair: each write is done only where
 * nothing was written since but by this hold, and its lock is still there. Else it throws and has changed nothing:
 * an owner that has been unlocked can write nothing more.
 */
export interface Hold {
  /** The owner's id, by which `unlock` takes this lock away. New with each lock. */
  readonly id: string
  /** A sentence for the user, if the lock was taken over from an owner that had ended. */
  readonly notice?: string
  /** What is there, by which later calls know that nobody else has written. Refuses where no room is left for more. */
  read(): Promise<Snapshot>
  /**
   * Adds records to the journal: all of them, or, where it throws, any number of them from the first on, which the
   * next call replaces. Once it has resolved they outlive this process and, where the store is elsewhere, its machine.
   *
   * @param header the journal is begun with it, if there is none
   * @throws StateWriteError
   */
  append(header: JournalHeader, records: readonly JournalRecord[]): Promise<void>
  /**
   * Replaces state and journal. A reader finds the old ones or the new ones; see `Store.announces` for the exception.
   *
   * @throws StateConflictError if somebody else has written; StateWriteError, and a later save may be tried then
   */
  save(change: Save): Promise<Saved>
  /**
   * Resolves if the lock is still held, and nobody else has written since.
   *
   * @throws StateConflictError if not; StateReadError if it cannot be told
   */
  confirm(): Promise<void>
  /** Gives the lock back, if it is still this one. May be called again, and after any failure. */
  release(): Promise<void>
  /** Ends the hold, and leaves the lock where it is: nobody else is to write before a person has looked. */
  keep(): Promise<void>
}

/**
 * A place that keeps one state with its journal and its lock, as bytes and records: what they mean, and whether they
 * belong to the manifest at hand, is judged above. What is promised after a kill at any moment:
 *
 * - What an append or a save resolved is there, in this order, and read back as it was given.
 * - At most one holds the lock. No lock is taken over by age; by another process only where its owner has certainly
 *   ended (`isGone`; where other machines come too, `isGoneFromSharedLock`).
 * - A write whose answer was lost is repeated, identical, until it is known to be done or not. What an older read shows
 *   proves nothing.
 * - No credential is in `place`, in an error, or in what is kept.
 */
export interface Store {
  /** Where it is, for people and for records: a path, or an address without credentials. */
  readonly place: string
  /**
   * Whether a save is done in several steps, between which a reader can find the new state beside the old journal. A
   * commit record is appended before it then, from which the reader knows that they belong together.
   */
  readonly announces: boolean
  /** Whether an append takes so long, or leaves so much behind, that one is to serve many writes. */
  readonly isDear: boolean
  /**
   * Makes what has to be there before a state can be begun, such as tables; it is asked by what begins one.
   *
   * @throws StateReadError, StateWriteError
   */
  prepare?(): Promise<void>
  /** Without the lock, and without writing. @throws StateReadError, JournalCorruptError */
  read(): Promise<Snapshot>
  /**
   * @param command what is running, without its arguments: they could hold values
   * @param kept the id of a lock that its owner kept for this command as it ended: it is taken over, where it is still
   *   there
   * @throws LockedError naming the owner; StateReadError, StateWriteError
   */
  lock(command: string, kept?: string): Promise<Hold>
  /**
   * Takes somebody else's lock away, with a write of its own, so the owner of before is refused from then on.
   *
   * @param ownerEnded whether that owner is known to have ended; else `Snapshot.unlockedAt` tells of it, and `landedAt`
   *   once that is known to be there
   * @throws LockMismatchError if there is none, or another one; StateReadError, StateWriteError
   */
  unlock(id: string, ownerEnded: boolean): Promise<void>
}
