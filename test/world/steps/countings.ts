import * as fc from 'fast-check'
import { expect } from 'vitest'
import { checkDrift } from '../checks/check-drift.ts'
import { unseenIn, wordsOf, type Counting } from '../checks/counting.ts'
import { isSure, latestOf, type Oracle } from '../known/oracle.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { recordsOf, type World } from '../world.ts'

const counting: fc.Arbitrary<Counting> = fc.record(
  {
    isStrict: fc.constant(true),
    unmanaged: fc.constantFrom('fail', 'off'),
    hours: fc.constantFrom(1, 2, 48, 400),
  },
  { requiredKeys: [] },
)

const driftCounting = counting.map((how) => {
  const words = wordsOf(how).join(' ')
  return step(
    `drift ${words}`,
    async (oracle, world) => {
      count(`drift ${words}`)
      await checkDrift(world, oracle, how)
    },
    isSure,
  )
})

/** What no endpoint shows is enough for a strict plan, unless it is over; what can be read never is. */
const planStrictly = async (oracle: Oracle, world: World): Promise<void> => {
  const words = ['plan', '--all', '--detailed-exitcode']
  const since = world.now
  const plain = await world.json(words)
  const strict = await world.json([...words, '--strict'])
  // Only the later plan knows what became readable meanwhile.
  if (world.service.acts.some(({ seenFrom }) => seenFrom >= since && seenFrom <= world.now)) return
  const records = await recordsOf(world)
  const isOver = (address: string): boolean =>
    Date.parse(records[address]?.applied.endDate) <= latestOf(world, oracle) + 60_000
  const unseen = (await unseenIn(world, oracle)).filter((address) => !isOver(address))
  count(`plan --strict: exit ${plain.code}, then ${strict.code}`)
  const isMore = plain.code === 0 && unseen.length > 0
  expect({ unseen, code: strict.code }).toEqual({ unseen, code: isMore ? 2 : plain.code })
}

const strictPlan = fc.constant(step('plan --strict', planStrictly, isSure))

/** Reports that are told what counts. */
export const countings: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: driftCounting },
  { weight: 1, arbitrary: strictPlan },
)
