import { join } from 'node:path'
import { StateConflictError, StateWriteError } from '../../errors/index.ts'
import { anything, constant, instant, listOf, readAs, shapeOf, text, type TypeOf } from '../../disk/check.ts'
import { replaceUnlocked } from '../../disk/replace.ts'
import type { Surroundings } from '../machine/host.ts'
import { headerCheck, intentCheck, recordCheck } from './shape.ts'
import { toJson } from '../../text/json.ts'

const rescueCheck = shapeOf({
  type: constant('rescue'),
  version: constant(1),
  /** Where it belongs, without credentials. */
  place: text,
  /** The id of the lock that was kept for it. */
  lock: text,
  at: instant,
  /** Of the journal as its store certainly has it. */
  header: headerCheck,
  journal: listOf(recordCheck),
  /** What follows it, and is in no store. */
  owed: listOf(recordCheck),
  /** Intents that may have arrived, and whose requests never left. */
  withdrawn: listOf(intentCheck),
  /** With all of the above in it: for people, should the store be lost. */
  state: anything,
})

/** What a command could not record where the state is. No secret is in it. */
export type Rescue = TypeOf<typeof rescueCheck>

/** What a journal could not write to its store. */
export type Left = Pick<Rescue, 'header' | 'journal' | 'owed' | 'withdrawn'>

/**
 * Writes a rescue file, mode 0600, into the folder, or into the temporary one where that cannot be.
 *
 * @returns its path
 * @throws StateWriteError
 */
export const writeRescue = async (folder: string, rescue: Rescue, outside: Surroundings): Promise<string> => {
  const bytes = Buffer.from(`${toJson(rescue, { indent: 2 })}\n`)
  const name = `deploymgmt.rescue.${rescue.lock.slice(0, 8)}.json`
  const write = async (path: string): Promise<string> => {
    await (await replaceUnlocked(outside, path, bytes)).close()
    return path
  }
  return write(join(folder, name))
    .catch(async () => write(join((await outside.temporaryFolder()).path, name)))
    .catch((cause: unknown) => {
      throw new StateWriteError('what could not be recorded could not be saved as a rescue file either', {
        where: folder,
        hint: 'The next command finds out about it.',
        cause,
      })
    })
}

/**
 * What is thrown once it is there: the failure that led to it, with what to do.
 *
 * @param flags `Surroundings.sameFlags` of the state that it belongs to
 */
export const keptAside = (
  failure: unknown,
  path: string,
  flags: string,
): StateWriteError | StateConflictError => {
  const why = failure instanceof Error ? failure.message : String(failure)
  const Failure = failure instanceof StateConflictError ? StateConflictError : StateWriteError
  // What to do until it can be written again.
  const first = failure instanceof StateWriteError && failure.hint !== undefined ? `${failure.hint} ` : ''
  return new Failure(`${why}; what could not be recorded is in ${path}`, {
    where: path,
    hint: `${first}Keep that file. Once the state can be written again, run: deploymgmt state push ${path}${flags}`,
    cause: failure,
  })
}

/** A rescue file that was read. */
export const rescueIn = (value: unknown, refuse: (what: string) => Error): Rescue =>
  readAs(rescueCheck, value, (_, words) => refuse(words))
