import { constantFrom, integer, record, sample } from 'fast-check'
import { settings } from '@deploymgmt/service'
import { afterAll, describe, expect, it } from 'vitest'
import { pass } from '../support/proxy.ts'
import { start } from '../support/process.ts'
import type { Scene } from '../support/scene.ts'
import { soakKills } from '../support/soak.ts'
import { after, before, catching, filesIn, resolveAll, scene, expectRecovered } from './support/kill.ts'
import { killUntilDone, type Figures } from './support/many.ts'
import { namedIn } from './support/unknown.ts'

let here: Scene

const IN_A_ROW = 3
const moment = record({ request: integer({ min: 1, max: 40 }), fate: constantFrom(before, after) })
const seeds = Array.from({ length: Math.ceil((soakKills ?? 0) / IN_A_ROW) }, (_, index) => index + 1)

/** Kills an apply at its n-th request, whatever it is, while others are under way; one that sends fewer ends by itself. */
const killSomewhere = async ({ request, fate }: { request: number; fate: typeof before }): Promise<void> => {
  let left = request
  const { steer, caught } = catching(() => {
    left -= 1
    return left === 0
  }, fate)
  here.proxy.steer(steer)
  const { child, ended } = start(here, ['apply', '--auto-approve'])
  await Promise.race([caught, ended])
  child.kill('SIGKILL')
  await ended
  here.proxy.steer(pass)
}

/** `killed-apply.test.ts` has a kill at each write; here are as many at any moment as `npm run soak` wants. */
describe.skipIf(seeds.length === 0)('an apply that is killed three times in a row', () => {
  it.each(seeds)('at moments of the seed %i, loses and repeats nothing', async (seed) => {
    here = await scene()
    for (const each of sample(moment, { seed, numRuns: IN_A_ROW })) {
      await killSomewhere(each)
      await resolveAll(here, namedIn((await here.run('plan')).stderr))
    }
    await expectRecovered(here)
    expect(await filesIn(here)).toEqual(['deploymgmt.state.json', 'deploymgmt.yaml'])
  })
})

/** About so many kills it takes until 200 things are there, and until a quarter of them are. */
const KILLS_TO_THE_END = 8.5
const MANY = { windows: 170, users: 30 }
const FEW = { windows: 40, users: 10 }

const USUAL = 'default readings'
const totals = new Map<string, Figures>()
const added = (name: string, { kills, unknown, forPerson }: Figures): void => {
  const sum = totals.get(name) ?? { kills: 0, unknown: 0, forPerson: 0 }
  totals.set(name, {
    kills: sum.kills + kills,
    unknown: sum.unknown + unknown,
    forPerson: sum.forPerson + forPerson,
  })
}
afterAll(() => {
  if (soakKills === undefined) return
  for (const [name, { kills, unknown, forPerson }] of totals)
    process.stderr.write(`${name}: ${kills} kills, ${unknown} unknown, ${forPerson} for a person\n`)
})

describe('an apply of windows and users that is killed with ten writes in flight, again and again', () => {
  const rounds = soakKills === undefined ? 1 : Math.ceil(soakKills / KILLS_TO_THE_END)
  const size = soakKills === undefined ? FEW : MANY
  const all = Array.from({ length: rounds }, (_, index) => index + 1)

  it.each(all)('loses, doubles and mixes up nothing (seed %i)', async (seed) => {
    const figures = await killUntilDone(seed, size)
    added(USUAL, figures)
    expect(figures.unknown).toBeGreaterThan(10)
  })

  it('leaves at most two of a hundred unknown outcomes to a person', () => {
    const { unknown = 0, forPerson = 0 } = totals.get(USUAL) ?? {}
    expect(forPerson).toBeLessThanOrEqual(unknown * 0.02)
  })

  it.each(all.slice(0, Math.ceil(rounds / 10)))(
    'takes over nothing that somebody else made with the same key (seed %i)',
    async (seed) => {
      const figures = await killUntilDone(seed, { ...size, strangers: true })
      added('a key that somebody else uses, too', figures)
      expect(figures.kills).toBeGreaterThan(0)
    },
  )
})

/** Each value that a reading has besides its default. */
const OTHERS = settings
  .filter(({ name }) => name.startsWith('open.'))
  .flatMap(({ name, values, default: usual }) =>
    values
      .map((value) => ({ DURATION: 'PT45S', NUMBER: '100' })[value] ?? value)
      .filter((value) => value !== usual)
      .map((value) => ({ [name]: value })),
  )

describe.skipIf(soakKills === undefined)('the same under each other reading', () => {
  it.each(OTHERS)('%o loses, doubles and mixes up nothing', async (reading) => {
    const figures = await killUntilDone(1, { ...FEW, settings: reading })
    added(JSON.stringify(reading), figures)
    expect(figures.kills).toBeGreaterThan(0)
  })
})
