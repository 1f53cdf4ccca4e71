import { constantFrom, integer, record, sample } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pass } from '../support/proxy.ts'
import { start } from '../support/process.ts'
import type { Scene } from '../support/scene.ts'
import { seedsOf, soakKills, tellTried } from '../support/soak.ts'
import { after, before, catching, filesIn, resolveAll, scene, expectRecovered } from './support/kill.ts'
import { namedIn } from './support/unknown.ts'

let here: Scene

const IN_A_ROW = 3
const moment = record({ request: integer({ min: 1, max: 40 }), fate: constantFrom(before, after) })
const seeds = seedsOf(Math.ceil((soakKills ?? 0) / IN_A_ROW))

/**
 * Kills an apply at its n-th request of any kind, while others are in flight; an apply with fewer requests ends
 * normally. Returns whether it was killed.
 */
const killSomewhere = async ({
  request,
  fate,
}: {
  request: number
  fate: typeof before
}): Promise<boolean> => {
  let left = request
  const { steer, caught } = catching(() => {
    left -= 1
    return left === 0
  }, fate)
  here.proxy.steer(steer)
  const { child, ended } = start(here, ['apply', '--auto-approve'])
  await Promise.race([caught, ended])
  child.kill('SIGKILL')
  const { signal } = await ended
  await here.proxy.drained()
  here.proxy.steer(pass)
  return signal === 'SIGKILL'
}

/** `killed-apply.test.ts` kills at each write; this kills at random moments, as often as `npm run soak` asks for. */
describe.skipIf(seeds.length === 0)('an apply that is killed three times in a row', () => {
  it.each(seeds)('at moments of the seed %i, loses and repeats nothing', async (seed) => {
    here = await scene()
    let kills = 0
    for (const each of sample(moment, { seed, numRuns: IN_A_ROW })) {
      if (await killSomewhere(each)) kills += 1
      await resolveAll(here, namedIn((await here.run('plan')).stderr))
    }
    await expectRecovered(here)
    expect(await filesIn(here)).toEqual(['deploymgmt.state.json', 'deploymgmt.yaml'])
    tellTried('kills of an apply of five kinds, three in a row', kills)
  })
})
