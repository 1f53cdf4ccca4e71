import { JournalMismatchError } from '../errors/index.ts'
import type { OpenIntent } from './journal-model.ts'
import { currentOwner } from './lock.ts'
import type { LockOwner } from './lock-owner.ts'
import type { Expectation, RecordedResource, Resource, StateFile } from './model.ts'
import { resolveTarget } from './paths.ts'
import { type Surroundings, surroundings } from './surroundings.ts'
import { readView, type View } from './view.ts'

/** The recovered state, for commands that write nothing. */
export interface ReadSession<R extends Resource = RecordedResource> {
  state: StateFile<R>
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
export async function readSession<R extends Resource = RecordedResource>(
  options: { statePath: string; expect: Expectation },
  given: Partial<Surroundings> = {},
): Promise<ReadSession<R>> {
  const outside = surroundings(given)
  const target = await resolveTarget(outside.files, options.statePath)
  const busy = await currentOwner(target, outside)
  const { state, fingerprint, unknown, notices } = await readSteadily<R>(target, options.expect, outside)
  return { state, exists: fingerprint !== undefined, fingerprint, unknown, busy, notices }
}

async function readSteadily<R extends Resource>(
  target: string,
  expect: Expectation,
  outside: Surroundings,
): Promise<View<R>> {
  for (let attempt = 1; attempt < tries; attempt += 1) {
    try {
      return await readView<R>(target, expect, outside)
    } catch (error) {
      if (!(error instanceof JournalMismatchError)) throw error
    }
  }
  return readView<R>(target, expect, outside)
}
