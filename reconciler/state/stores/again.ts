import type { System } from '../machine/system.ts'

/** How many rounds to try if others are faster: a round is lost only to the progress of another process. */
export const ROUNDS = 20

/** The delays before a retry, milliseconds. */
const WAITS = [250, 500, 1000, 2000, 4000]

/**
 * Waits before a retry.
 *
 * @param attempt how many tries there were before, from 0
 * @param least milliseconds that the other side has asked for
 * @returns false, without waiting, if there were enough tries
 */
export const again = async (
  attempt: number,
  { pause, random }: Pick<System, 'pause' | 'random'>,
  least = 0,
): Promise<boolean> => {
  const wait = WAITS[attempt]
  if (wait === undefined) return false
  await pause(Math.max(least, wait * (0.5 + random() / 2)))
  return true
}
