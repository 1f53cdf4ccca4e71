import { isDeepStrictEqual } from 'node:util'
import { JournalMismatchError } from '../errors/index.ts'
import type { OpenIntent } from './journal-model.ts'
import { currentOwner } from './lock.ts'
import type { LockOwner } from './lock-owner.ts'
import type { Expectation } from './expectation.ts'
import type { StateFile } from './model.ts'
import { resolveTarget } from './paths.ts'
import { type Surroundings, surroundings } from './host.ts'
import { readView, type View } from './view.ts'

/** The recovered state, for commands that write nothing. */
export interface ReadSession {
  state: StateFile
  /** Whether there is a state file; if not, `state` is empty and has serial 0. */
  exists: boolean
  /** sha256 (hex) of the bytes of the state file. */
  fingerprint: string | undefined
  /** Writes of unknown outcome; while `busy`, some of them may just be under way. */
  unknown: OpenIntent[]
  /** Who is writing to the state at this moment. */
  busy: LockOwner | undefined
  notices: string[]
}

/** A writer can replace state and journal between our two reads; a few times in a row at most. */
const tries = 5

/**
 * Reads a state as a session would see it, without lock and without writing.
 *
 * @throws what `openSession` throws, except for lock and writing
 */
export const readSession = async (
  options: { statePath: string; expect: Expectation },
  given: Partial<Surroundings> = {},
): Promise<ReadSession> => {
  const outside = surroundings(given)
  const target = await resolveTarget(outside.files, options.statePath)
  const { view, busy } = await readWithOwner(target, options.expect, outside)
  const { state, fingerprint, unknown, notices } = view
  return { state, exists: fingerprint !== undefined, fingerprint, unknown, busy, notices }
}

/**
 * A writer can begin, or end, while we read: what it has under way must not look unknown. Who writes is asked
 * before and after; where nobody does, an open intent counts once a second reading shows it too.
 */
const readWithOwner = async (
  target: string,
  expect: Expectation,
  outside: Surroundings,
): Promise<{ view: View; busy: LockOwner | undefined }> => {
  let busy = await currentOwner(target, outside)
  let view = await readSteadily(target, expect, outside)
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    busy ??= await currentOwner(target, outside)
    if (busy !== undefined || view.unknown.length === 0) break
    const before = view
    view = await readSteadily(target, expect, outside)
    if (isDeepStrictEqual(view.unknown, before.unknown)) break
  }
  return { view, busy }
}

const readSteadily = async (target: string, expect: Expectation, outside: Surroundings): Promise<View> => {
  for (let attempt = 1; attempt < tries; attempt += 1) {
    try {
      return await readView(target, expect, outside)
    } catch (error) {
      if (!(error instanceof JournalMismatchError)) throw error
    }
  }
  return readView(target, expect, outside)
}
