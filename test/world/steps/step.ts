import type * as fc from 'fast-check'
import { manifestOf, type Declared } from '../known/declared.ts'
import type { Oracle } from '../known/oracle.ts'
import type { World } from '../world.ts'

export interface Step extends fc.AsyncCommand<Oracle, World> {
  check(oracle: Readonly<Oracle>): boolean
}

/** A step is a sentence of a history: a failing history is printed as a list of them. */
export const step = (
  said: string,
  run: (oracle: Oracle, world: World) => Promise<void>,
  makesSense: (oracle: Readonly<Oracle>) => boolean = () => true,
): Step => ({
  check: makesSense,
  run,
  toString: () => said,
})

/** Declares something else from then on. */
export const declare = async (oracle: Oracle, world: World, more: Partial<Declared>): Promise<void> => {
  oracle.declared = { ...oracle.declared, ...more }
  await world.manifest(manifestOf(oracle.declared))
}

/** Steps that are run together, because the later ones mean little without the first. */
export const inTurn = (...steps: readonly Step[]): Step =>
  step(
    steps.map(String).join('; '),
    async (oracle, world) => {
      for (const each of steps) if (each.check(oracle)) await each.run(oracle, world)
    },
    (oracle) => steps[0]?.check(oracle) ?? true,
  )
