import type * as fc from 'fast-check'
import type { Oracle } from './oracle.ts'
import type { World } from './world.ts'

export type Step = fc.AsyncCommand<Oracle, World>

/** A step is a sentence of a history: a failing one is printed as a list of them. */
export const step = (said: string, run: (oracle: Oracle, world: World) => Promise<void>): Step => ({
  check: () => true,
  run,
  toString: () => said,
})
