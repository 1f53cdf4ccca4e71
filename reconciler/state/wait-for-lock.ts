import { LockedError, NotConfirmedError } from '../errors/index.ts'
import type { System } from './machine/system.ts'
import type { Hold, Store } from './stores/store.ts'

/** How long a command waits for a lock that another one holds. */
export interface Patience {
  /** Milliseconds; by default, it does not wait. */
  readonly lockTimeout?: number | undefined
  /** The id of a lock that was kept for this command. */
  readonly kept?: string | undefined
  /** Aborts the waiting. */
  readonly signal?: AbortSignal | undefined
}

/** The first and the longest delay between attempts, milliseconds: each may be a network request to the store. */
const [FIRST_MS, LONGEST_MS] = [500, 5000]

/**
 * Acquires the lock of a store. If another command holds it, waits for that command, and names it once.
 *
 * @throws LockedError naming the owner; NotConfirmedError if interrupted; what `Store.lock` throws
 */
export const lockOf = async (
  store: Pick<Store, 'lock'>,
  command: string,
  { lockTimeout = 0, kept, signal }: Patience,
  system: Pick<System, 'now' | 'pause' | 'random' | 'say'>,
): Promise<Hold> => {
  const began = system.now().getTime()
  let said: string | undefined
  for (let pause = FIRST_MS; ; pause = Math.min(2 * pause, LONGEST_MS)) {
    const refused = await store.lock(command, kept).catch((error: unknown) => {
      if (error instanceof LockedError) return error
      throw error
    })
    if (!(refused instanceof LockedError)) return refused
    if (lockTimeout === 0) throw refused
    const waited = system.now().getTime() - began
    if (waited >= lockTimeout) throw inVain(refused, waited)
    // Again for each new holder.
    if (refused.message !== said) {
      said = refused.message
      await system.say(`Waiting for up to ${seconds(lockTimeout - waited)}: ${said}`)
    }
    const most = Math.min(pause * (0.5 + system.random() / 2), lockTimeout - waited)
    await system.pause(most, signal).catch(() => {
      throw new NotConfirmedError('interrupted while waiting for the lock of the state; nothing was sent', {
        interrupted: true,
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
