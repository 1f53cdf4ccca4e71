import { LockMismatchError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { runningOwner, schemeOf, whereSilencesAre, unlockState } from '../../state/index.ts'
import type { CommonOptions } from '../line/options.ts'
import { resolveState, type ResolvedState } from '../resolve/state.ts'
import { systemOf } from '../service/system.ts'
import { reportDone } from '../output/report-done.ts'
import { headIfAny } from './change.ts'

export const stateUnlock = async (
  io: Io,
  options: CommonOptions & { readonly ownerEnded?: boolean },
  id: string,
): Promise<number> => {
  const { ownerEnded = false } = options
  const head = await headIfAny(io, options)
  const where = await resolveState(io, options, head)
  const running = await unlockHereOrBeside(io, where, { id, ownerEnded })
  await reportDone(io, options, ownerEnded ? 'The lock was removed.' : goneFrom(where, running))
  return 0
}

/**
 * A person who is stopped by a lock knows only its id: it can be the lock of the silences, which are recorded beside
 * the state.
 */
const unlockHereOrBeside = async (
  io: Io,
  where: ResolvedState,
  { id, ownerEnded }: { readonly id: string; readonly ownerEnded: boolean },
): Promise<string | undefined> => {
  const system = systemOf(io)
  const removeAt = async (place: ResolvedState): Promise<string | undefined> => {
    const running = await runningOwner(place, { id, ownerEnded }, system)
    await unlockState(place, { id, ownerEnded }, system)
    return running
  }
  try {
    return await removeAt(where)
  } catch (error) {
    if (!(error instanceof LockMismatchError)) throw error
    return await removeAt(whereSilencesAre(where)).catch((other: unknown) => {
      // If neither has the lock, the error is about the state itself.
      throw other instanceof LockMismatchError ? error : other
    })
  }
}

const goneFrom = ({ statePath }: ResolvedState, running: string | undefined): string =>
  [
    running === undefined
      ? 'The lock was removed. Make sure that the command that held it has ended.'
      : `The lock was removed. But ${running} is still running on this machine: it records nothing more, and sends nothing once half a minute has passed.`,
    ...(schemeOf(statePath) === undefined
      ? []
      : ['The next apply waits up to 90 s; from 150 s from now on, none waits.']),
  ].join(' ')
