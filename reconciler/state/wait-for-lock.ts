import { LockedError, NotConfirmedError } from '../errors/index.ts'
import type { Surroundings } from './machine/host.ts'
import type { Hold, Store } from './stores/store.ts'

/** How long a command waits where another one holds the lock. */
export interface Patience {
  /** Milliseconds; without it, it does not wait. */
  readonly lockTimeout?: number | undefined
  /** The id of a lock that was kept for this command. */
  readonly kept?: string | undefined
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
}

/** A lock is asked for again after so long, milliseconds: each time a store may have to be asked over a network. */
const [FIRST_MS, LONGEST_MS] = [500, 5000]

/**
 * Takes the lock of a store. Where another command holds it, that one is waited for, and named once.
 *
 * @throws LockedError naming the owner; NotConfirmedError where it is interrupted; what `Store.lock` throws
 */
export const lockOf = async (
  store: Pick<Store, 'lock'>,
  command: string,
  { lockTimeout = 0, kept, signal }: Patience,
  outside: Pick<Surroundings, 'now' | 'pause' | 'random' | 'say'>,
): Promise<Hold> => {
  const began = outside.now().getTime()
  let said: string | undefined
  for (let pause = FIRST_MS; ; pause = Math.min(2 * pause, LONGEST_MS)) {
    const refused = await store.lock(command, kept).catch((error: unknown) => {
      if (error instanceof LockedError) return error
      throw error
    })
    if (!(refused instanceof LockedError)) return refused
    if (lockTimeout === 0) throw refused
    const waited = outside.now().getTime() - began
    if (waited >= lockTimeout) throw inVain(refused, waited)
    // Each time that it has changed hands.
    if (refused.message !== said) {
      said = refused.message
      await outside.say(`Waiting for up to ${seconds(lockTimeout - waited)}: ${said}`)
    }
    const most = Math.min(pause * (0.5 + outside.random() / 2), lockTimeout - waited)
    await outside.pause(most, signal).catch(() => {
      throw new NotConfirmedError('interrupted while waiting for the lock of the state; nothing was sent', {
        hint: 'Run the command again.',
      })
    })
  }
}

const inVain = (refused: LockedError, waited: number): LockedError =>
  new LockedError(`${refused.message}; it was waited for ${seconds(waited)}`, {
    where: refused.where,
    hint: refused.hint,
  })

const seconds = (ms: number): string => `${Math.max(1, Math.round(ms / 1000))} s`
