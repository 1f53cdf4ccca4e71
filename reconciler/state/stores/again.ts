import type { Surroundings } from '../machine/host.ts'

/** How often is begun again where somebody else was faster: each round is lost only to somebody else's progress. */
export const ROUNDS = 20

/** How long is waited before the same is tried again, milliseconds. */
const WAITS = [250, 500, 1000, 2000, 4000]

/**
 * Waits before the same is tried once more.
 *
 * @param attempt how often it was tried before, from 0
 * @param least milliseconds that the other side has asked for
 * @returns false, without having waited, where it was tried often enough
 */
export const again = async (
  attempt: number,
  { pause, random }: Pick<Surroundings, 'pause' | 'random'>,
  least = 0,
): Promise<boolean> => {
  const wait = WAITS[attempt]
  if (wait === undefined) return false
  await pause(Math.max(least, wait * (0.5 + random() / 2)))
  return true
}
