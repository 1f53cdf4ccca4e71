import { expect } from 'vitest'
import { openSession, readSession } from '../../../../../reconciler/state/index.ts'
import { intentFor, put } from '../../support/samples.ts'

type Opened = Parameters<typeof openSession>

/**
 * Runs sessions, each of which meets a fate at another of its requests, until there are no more. Each must end as it
 * would without.
 */
export const cutOnce = async (
  options: Opened[0],
  given: Opened[1],
  /**
   * Makes the n-th request from now on meet the fate; returns a function that ends this, and says whether it was met.
   */
  meetAt: (nth: number) => () => boolean,
): Promise<number> => {
  for (let nth = 1; ; nth += 1) {
    const session = await openSession(options, given)
    const n = await session.intent(intentFor(`things.${nth}`))
    const wasMet = meetAt(nth)
    await session.answered(n, [put(`things.${nth}`)])
    await session.commit()
    await session.close()
    const isMet = wasMet()
    const { state, unknown } = await readSession(options, given)
    expect([Object.keys(state.resources).length, state.serial, unknown]).toStrictEqual([nth, nth + 1, []])
    if (!isMet) return nth - 1
  }
}
