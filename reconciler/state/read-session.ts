import { isDeepStrictEqual } from 'node:util'
import { JournalMismatchError } from '../errors/index.ts'
import type { OpenIntent } from './contents/journal-model.ts'
import type { LockOwner } from './lock/lock-owner.ts'
import type { Expectation } from './contents/expectation.ts'
import type { StateFile } from './contents/model.ts'
import { noticeElsewhere, type Stated, storeOf } from './open.ts'
import type { Store } from './stores/store.ts'
import { type System, systemWith, withFlagsOf } from './machine/system.ts'
import { type View, viewOf } from './view.ts'

/** The recovered state, for commands that do not write. */
export interface ReadSession {
  state: StateFile
  /** Whether there is a state file; if not, `state` is empty and has serial 0. */
  exists: boolean
  /** Where the state is: a path, or an address without credentials. */
  place: string
  /** sha256 (hex) of the bytes of the state file. */
  fingerprint: string | undefined
  /** Writes with an unknown outcome; while `busy` is set, some of them may just be under way. */
  unknown: OpenIntent[]
  /** The owner of the lock, if somebody is writing to the state. */
  busy: LockOwner | undefined
  notices: string[]
}

/** A writer can replace state and journal between the two reads, but only a few times in a row. */
const tries = 5

/**
 * Reads a state as a session would see it, without locking or writing.
 *
 * @throws what `openSession` throws, except for locking and writing
 */
export const readSession = async (options: Stated, given: Partial<System> = {}): Promise<ReadSession> => {
  const system = withFlagsOf(options, systemWith(given))
  const store = await storeOf(options, system)
  const { view, busy } = await readWithOwner(store, options.expect, system)
  const { state, fingerprint, unknown } = view
  const exists = fingerprint !== undefined
  const notices = [...view.notices, ...noticeElsewhere(store, options, view)]
  return { state, exists, place: store.place, fingerprint, unknown, busy, notices }
}

interface Reading {
  readonly view: View
  readonly busy: LockOwner | undefined
}

/**
 * A writer can start or end between the reads, and its writes under way must not look unknown. If nobody writes, an
 * open intent counts only if a second reading shows it too.
 */
const readWithOwner = async (store: Store, expect: Expectation, system: System): Promise<Reading> => {
  let reading = await readSteadily(store, expect, system)
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const { busy, view } = reading
    if (busy !== undefined || view.unknown.length === 0) break
    reading = await readSteadily(store, expect, system)
    if (isDeepStrictEqual(reading.view.unknown, view.unknown)) break
  }
  return reading
}

const readSteadily = async (store: Store, expect: Expectation, system: System): Promise<Reading> => {
  for (let attempt = 1; ; attempt += 1) {
    const snapshot = await store.read()
    try {
      return { view: viewOf(snapshot, expect, system), busy: snapshot.owner }
    } catch (error) {
      if (!(error instanceof JournalMismatchError) || attempt === tries) throw error
    }
  }
}
