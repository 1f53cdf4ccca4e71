import * as fc from 'fast-check'
import { checkApplied, checkPlan } from './check-apply.ts'
import { checkDrift } from './check-drift.ts'
import { edits } from './edits.ts'
import { others } from './others.ts'
import { step, type Step } from './step.ts'
import { troubles } from './troubles.ts'

const APPLY = ['apply', '--auto-approve', '--allow-mass-removal', '--allow-mass-change']

const apply = fc
  .constantFrom(1, 10)
  .map((concurrency) =>
    step(`apply, ${concurrency} at once`, async (oracle, world) =>
      checkApplied(world, oracle, await world.json([...APPLY, '--concurrency', String(concurrency)])),
    ),
  )
const plan = fc.constant(step('plan', (oracle, world) => checkPlan(world, oracle)))
const drift = fc.constant(step('drift', (oracle, world) => checkDrift(world, oracle)))

const pause = fc.constantFrom(3, 900, 2_500, 20_000, 3_600_000, 90_000_000, 700_000_000).map((ms) =>
  step(`pause ${ms} ms`, async (_, world) => {
    world.now += ms
  }),
)

/** Steps that histories are made of; the more often one is met in life, the more often it comes. */
export const steps: fc.Arbitrary<Step>[] = [edits, edits, apply, apply, drift, plan, pause, others]

/** The same, with what goes wrong. */
export const troubledSteps: fc.Arbitrary<Step>[] = [...steps, apply, troubles]
