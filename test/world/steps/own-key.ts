import * as fc from 'fast-check'
import { alike } from './alike.ts'
import { manifestOf } from '../known/declared.ts'
import { inTurn, step, type Step } from './step.ts'

/** Only if it is true. Otherwise, windows that somebody else makes with the key would be taken for lost ones. */
const declareKeyOwn = step(
  'the manifest says that nothing else uses the key, which is true',
  async (oracle, world) => {
    if (oracle.neighbour !== undefined || world.service.acts.some(({ by }) => by === 'twin')) return
    world.keepsKey = true
    oracle.declared = { ...oracle.declared, isKeyOwn: true }
    await world.manifest(manifestOf(oracle.declared))
  },
)

/** What is lost then is settled without a question. */
export const ownKey: fc.Arbitrary<Step> = alike.map((lost) => inTurn(declareKeyOwn, lost))
