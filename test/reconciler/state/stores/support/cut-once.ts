import { expect } from 'vitest'
import { openSession, readSession } from '../../../../../reconciler/state/index.ts'
import { intentFor, put } from '../../support/samples.ts'

type Opened = Parameters<typeof openSession>

/** Sessions of which each meets a fate at another of its requests, until there is none left: each ends as without it. */
export const cutOnce = async (
  options: Opened[0],
  given: Opened[1],
  /** Lets the n-th request from now on meet the fate; answers what tells whether there was one, and puts it back. */
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
