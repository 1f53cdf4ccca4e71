import { join } from 'node:path'
import { StateConflictError, StateWriteError } from '../../errors/index.ts'
import { anything, constant, instant, listOf, readAs, shapeOf, text, type TypeOf } from '../../disk/check.ts'
import { replaceUnlocked } from '../../disk/replace.ts'
import type { System } from '../machine/system.ts'
import { headerCheck, intentCheck, recordCheck } from './shape.ts'
import { toJson } from '../../text/json.ts'

const rescueCheck = shapeOf({
  type: constant('rescue'),
  version: constant(1),
  /** The place of the state, without credentials. */
  place: text,
  /** The id of the lock that was kept for this file. */
  lock: text,
  at: instant,
  /** The journal as it certainly is in its store. */
  header: headerCheck,
  journal: listOf(recordCheck),
  /** The records after it, which are in no store. */
  owed: listOf(recordCheck),
  /** Intents that may be in the store, although their requests never left. */
  withdrawn: listOf(intentCheck),
  /** The state with all of the above applied: for people, in case the store is lost. */
  state: anything,
})

/** What a command could not record at the place of the state. Contains no secrets. */
export type Rescue = TypeOf<typeof rescueCheck>

/** What a journal could not write to its store. */
export type Left = Pick<Rescue, 'header' | 'journal' | 'owed' | 'withdrawn'>

/**
 * Writes a rescue file, mode 0600, into the folder, or into the temporary folder if that fails.
 *
 * @returns its path
 * @throws StateWriteError
 */
export const writeRescue = async (folder: string, rescue: Rescue, system: System): Promise<string> => {
  const bytes = Buffer.from(`${toJson(rescue, { indent: 2 })}\n`)
  const name = `deploymgmt.rescue.${rescue.lock.slice(0, 8)}.json`
  const write = async (path: string): Promise<string> => {
    await (await replaceUnlocked(system, path, bytes)).close()
    return path
  }
  return write(join(folder, name))
    .catch(async () => write(join((await system.temporaryFolder()).path, name)))
    .catch((cause: unknown) => {
      throw new StateWriteError('what could not be recorded could not be saved as a rescue file either', {
        where: folder,
        hint: 'The next command finds out about it.',
        cause,
      })
    })
}

/**
 * The error to throw once the rescue file is written: the original failure, with what to do.
 *
 * @param flags `System.sameFlags` of the state that the file belongs to
 */
export const keptAside = (
  failure: unknown,
  path: string,
  flags: string,
): StateWriteError | StateConflictError => {
  const why = failure instanceof Error ? failure.message : String(failure)
  const Failure = failure instanceof StateConflictError ? StateConflictError : StateWriteError
  // What to do before the store can be written again.
  const first = failure instanceof StateWriteError && failure.hint !== undefined ? `${failure.hint} ` : ''
  return new Failure(`${why}; what could not be recorded is in ${path}`, {
    where: path,
    hint: `${first}Keep that file. Once the state can be written again, run: deploymgmt state push ${path}${flags}`,
    cause: failure,
  })
}

/** Checks the content of a rescue file. */
export const rescueIn = (value: unknown, refuse: (what: string) => Error): Rescue =>
  readAs(rescueCheck, value, (_, words) => refuse(words))
