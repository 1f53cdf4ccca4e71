import * as fc from 'fast-check'
import { NEXT } from '../fixture.ts'
import { CLOSE_MS } from '../known/oracle.ts'
import { step, type Step } from './step.ts'

/** Once in a history. What the first key wrote stays the runs' own; what it writes later is somebody else's. */
export const newKey: fc.Arbitrary<Step> = fc.boolean().map((isUsed) =>
  step(
    `the key of the runs is replaced${isUsed ? ', and the first one still used elsewhere' : ''}`,
    async (oracle, world) => {
      const { keys } = world
      oracle.isKeyNew = true
      keys.run = NEXT
      if (!isUsed) keys.twin = NEXT
      // Of two keys, an event does not tell which one wrote first within a second.
      world.now += CLOSE_MS
    },
    ({ isKeyNew, isUncertain }) => !isKeyNew && !isUncertain,
  ),
)
