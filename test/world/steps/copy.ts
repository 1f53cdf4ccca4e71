import * as fc from 'fast-check'
import { applies, applyIn, withConcurrency } from './applies.ts'
import { checkApplied } from '../checks/check-apply.ts'
import { checkDrift } from '../checks/check-drift.ts'
import { checkTouched } from '../checks/check-touched.ts'
import { manifestOf } from '../known/declared.ts'
import { edits } from './edits.ts'
import { checkStrangers } from '../checks/check-strangers.ts'
import { CLOSE_MS, isSure, Oracle } from '../known/oracle.ts'
import { inTurn, step, type Step } from './step.ts'
import { count } from '../tally.ts'
import type { World } from '../world.ts'

/** Copies the state between runs. Not while an outcome is unknown: whose request that is, cannot be asked of a copy. */
export const copy = step(
  'a second checkout takes a copy of the state',
  async (oracle, world) => {
    oracle.second = { world: await world.copied(), oracle: oracle.copied() }
  },
  isSure,
)

const inSecond =
  (work: (oracle: Oracle, world: World) => Promise<void>) =>
  async ({ declared, neighbour, second }: Oracle, world: World): Promise<void> => {
    if (second === undefined) return
    count('in a second checkout')
    second.oracle.declared = declared
    // The manifest names the state of another one, which either checkout reads.
    second.oracle.neighbour = neighbour
    await second.world.manifest(manifestOf(declared))
    await work(second.oracle, second.world)
    // Events name the same key for both, so what follows at once could not be told apart.
    world.now += CLOSE_MS
  }

const isThere = ({ isUncertain, second, declared }: Readonly<Oracle>): boolean =>
  second !== undefined && !isUncertain && declared.isKeyOwn !== true

const driftThere = step(
  'drift in the second checkout',
  inSecond((oracle, world) => checkDrift(world, oracle)),
  isThere,
)

/** The two have no lock in common; neither touches a window that the other has made since the copy. */
const applyThere = step(
  'apply in the second checkout',
  inSecond(async (oracle, world) => checkApplied(world, oracle, await applyIn(world, oracle))),
  isThere,
)

const applyBoth = async (oracle: Oracle, world: World, request: number): Promise<void> => {
  const begin = inSecond(async (its, there) => {
    const ended = await applyIn(there, its, withConcurrency(1))
    checkTouched(there, its, ended.number)
  })
  const meanwhile = new Map([[request, () => begin(oracle, world)]])
  const ended = await applyIn(world, oracle, withConcurrency(1), { meanwhile })
  checkTouched(world, oracle, ended.number)
  world.now += CLOSE_MS
}

const both = fc
  .integer({ min: 1, max: 10 })
  .map((request) =>
    step(
      `apply, and at request ${request}, apply in the second checkout`,
      (oracle, world) => applyBoth(oracle, world, request),
      isThere,
    ),
  )

/**
 * With nothing recorded, everything declared would be created. It is not, if events tell that this key has made
 * something that is not over.
 */
const applyAnew = step(
  'the state is lost, and one that is begun anew is applied from',
  async (oracle, world) => {
    const anew = await world.begunAnew()
    await anew.manifest(manifestOf(oracle.declared))
    const its = Object.assign(new Oracle(oracle.declared), { neighbour: oracle.neighbour })
    const ended = await applyIn(anew, its)
    const { strangers } = ended.document
    count(`a state is begun anew: ${strangers === undefined ? 'nobody' : 'strangers'}`)
    if (strangers !== undefined) await checkStrangers(anew, its, ended.document)
    world.now += CLOSE_MS
  },
  ({ isUncertain, declared }) => !isUncertain && declared.isKeyOwn !== true,
)

const afterwards = fc.tuple(edits, applies).map((each) => inTurn(...each))

/** Two checkouts that know of each other only through events. */
export const copies: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(copy) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(afterwards, fc.constantFrom(driftThere, applyThere))
      .map(([between, there]) => inTurn(copy, between, there)),
  },
  { weight: 1, arbitrary: fc.constantFrom(driftThere, applyThere) },
  { weight: 1, arbitrary: fc.constant(applyAnew) },
  { weight: 1, arbitrary: fc.tuple(edits, both).map((each) => inTurn(...each)) },
)
