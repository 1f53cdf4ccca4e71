import * as fc from 'fast-check'
import { applies } from './applies.ts'
import { checkDrift } from '../checks/check-drift.ts'
import { edits, newWindows } from './edits.ts'
import { described, others } from './others.ts'
import { inTurn, step, type Step } from './step.ts'

/** Once in a history. The clock of the machine that runs the command stays as it is. */
const clock = fc.constantFrom(2_000, 20_000, 300_000).map((ms) =>
  step(
    `the clock of the service is set back by ${ms} ms`,
    async (oracle, world) => {
      const [from, to] = [world.now, world.now - ms]
      oracle.setBack = { from, to, acts: world.service.acts.length }
      world.now = to
      world.ahead += ms
    },
    (oracle) => oracle.setBack === undefined,
  ),
)

const drift = step('drift', (oracle, world) => checkDrift(world, oracle))

/** What was written right before that lies ahead of what others do right after it. */
const amongOthers = fc
  .tuple(fc.oneof(edits, newWindows), applies, clock, others, fc.oneof(others, described))
  .map(([edit, apply, back, deed, another]) => {
    const all = inTurn(edit, apply, back, deed, another, drift)
    return step(
      String(all),
      (oracle, world) => all.run(oracle, world),
      (oracle) => oracle.setBack === undefined && all.check(oracle),
    )
  })

export const setBack: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: clock },
  { weight: 2, arbitrary: amongOthers },
)
