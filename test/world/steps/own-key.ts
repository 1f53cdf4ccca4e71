import * as fc from 'fast-check'
import { alike } from './alike.ts'
import { declare, inTurn, step, type Step } from './step.ts'

/** Only if it is true. Otherwise, windows that somebody else makes with the key would be taken for lost ones. */
const declareKeyOwn = step(
  'the manifest says that nothing else uses the key, which is true',
  async (oracle, world) => {
    if (oracle.neighbour !== undefined || world.service.acts.some(({ by }) => by === 'twin')) return
    world.keepsKey = true
    await declare(oracle, world, { isKeyOwn: true })
  },
)

/** What is lost then is settled without a question. */
export const ownKey: fc.Arbitrary<Step> = alike.map((lost) => inTurn(declareKeyOwn, lost))
