import { afterEach, describe, expect, it } from 'vitest'
import {
  after,
  before,
  expectWhole,
  filesIn,
  killAt,
  resolveAll,
  scene,
  type Scene,
} from './support/scene.ts'

let here: Scene
afterEach(() => here.close())

/** The writes of an apply of all five kinds, in the order in which one worker sends them. */
const WRITES = [1, 2, 3, 4, 5, 6, 7]
const FATES = { 'before the service has it': before, 'after the service has committed it': after }

const cases = WRITES.flatMap((n) => Object.entries(FATES).map(([when, fate]) => [n, when, fate] as const))

describe('an apply of all five kinds that is killed', () => {
  it.each(cases)('at write %i, %s, loses and repeats nothing', async (n, _, fate) => {
    here = await scene()
    const { method } = await killAt(here, ({ write }) => write === n, fate)
    const plan = await here.run('plan')
    if (method !== 'POST') expect(plan).toMatchObject({ code: 0 })
    else expect([0, 3]).toContain(plan.code)
    const unknown = await resolveAll(here)
    if (plan.code === 3)
      for (const address of unknown) expect(plan.stderr).toContain(`deploymgmt state resolve '${address}' --`)
    const applied = await here.run('apply', '--auto-approve')
    expect(applied).toMatchObject({ code: 0 })
    expect(await here.json('plan', '--detailed-exitcode')).toMatchObject({
      code: 0,
      document: { inSync: true, summary: { create: 0, update: 0, adopt: 0, delete: 0 } },
    })
    await expectWhole(here)
    expect(await filesIn(here)).toEqual(['deploymgmt.state.json', 'deploymgmt.yaml'])
  })
})
