import { sayMoment } from '@deploymgmt/provider/words'
import { NotConfirmedError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { atWorkMs, overBy, type Session } from '../../state/index.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'

const STEP_MS = 10_000

/**
 * If a lock was removed while its owner may have been at work, waits until that owner can have no request under way:
 * such requests must neither be settled nor repeated.
 *
 * @throws NotConfirmedError if interrupted
 */
export const waitForFormerOwner = async (
  io: Io,
  { unlocked }: Pick<Session, 'unlocked'>,
  signal: AbortSignal,
): Promise<void> => {
  const { pause } = systemOf(io)
  for (let left = atWorkMs(unlocked, io.now()); left > 0; left -= STEP_MS) {
    await tell(
      io,
      `Waiting ${Math.ceil(left / 1000)} s: the lock was removed at ${sayMoment(unlocked.unlockedAt ?? '')}, and the command that held it may still be sending.`,
    )
    await pause(Math.min(left, STEP_MS), signal).catch(() => {
      throw new NotConfirmedError(
        'interrupted while waiting for the command that held the lock; nothing was sent',
        {
          interrupted: true,
          hint: `Run the command again: it waits for up to 90 s again${sayEnd(unlocked)}.`,
        },
      )
    })
  }
}

const sayEnd = (unlocked: Session['unlocked']): string => {
  const over = overBy(unlocked)
  return over === undefined ? '' : `, and not longer than until ${sayMoment(over)}`
}
