import { sayMoment } from '@deploymgmt/provider/words'
import { NotConfirmedError } from '../errors/index.ts'
import { atWorkMs, overBy, type Unlocked } from './lock/ownership.ts'
import type { System } from './machine/system.ts'

const STEP_MS = 10_000

interface Waiting {
  readonly signal: AbortSignal | undefined
  /** What an interruption leaves undone, such as `nothing was sent`. */
  readonly undone: string
}

/**
 * If a lock was removed while its owner may have been at work, waits until that owner can have no request under way:
 * such requests must neither be settled nor repeated, nor may their state go elsewhere.
 *
 * @throws NotConfirmedError if interrupted
 */
export const waitForFormerOwner = async (
  unlocked: Unlocked,
  { signal, undone }: Waiting,
  { now, pause, say }: Pick<System, 'now' | 'pause' | 'say'>,
): Promise<void> => {
  for (let left = atWorkMs(unlocked, now()); left > 0; left -= STEP_MS) {
    await say(
      `Waiting ${Math.ceil(left / 1000)} s: the lock was removed at ${sayMoment(unlocked.unlockedAt ?? '')}, and the command that held it may still be sending.`,
    )
    await pause(Math.min(left, STEP_MS), signal).catch(() => {
      throw new NotConfirmedError(`interrupted while waiting for the command that held the lock; ${undone}`, {
        interrupted: true,
        hint: `Run the command again: it waits for up to 90 s again${sayEnd(unlocked)}.`,
      })
    })
  }
}

const sayEnd = (unlocked: Unlocked): string => {
  const over = overBy(unlocked)
  return over === undefined ? '' : `, and not longer than until ${sayMoment(over)}`
}
