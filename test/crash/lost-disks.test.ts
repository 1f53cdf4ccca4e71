import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { constantFrom, integer, record, sample } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initState, thisHost } from '../../reconciler/state/index.ts'
import { stores } from '../reconciler/state/stores/support/kinds-of-store.ts'
import { type Installation, manifestWith, within } from '../support/installation.ts'
import { pass } from '../support/proxy.ts'
import { start } from '../support/process.ts'
import { begin, type Scene } from '../support/scene.ts'
import { seedsOf, soakKills, tell } from '../support/soak.ts'
import { after, before, catching, expectRecovered, resolveAll } from './support/kill.ts'
import { addressesIn, namedIn } from './support/unknown.ts'

const IN_A_ROW = 3
const moment = record({ request: integer({ min: 1, max: 30 }), fate: constantFrom(before, after) })
const remote = stores.filter(({ name }) => name !== 'file')
/**
 * Four kills for each store; in a soak, a tenth as many as for processes alone. Of three runners, one has usually ended
 * before its kill.
 */
const rows = Math.ceil((soakKills ?? 40) / 10 / 2)
const seeds = seedsOf(rows * remote.length)
/** Each store has seeds of its own, so that all stores together are lost at more moments than each of them. */
const ofStores = remote.map((store, index) => ({
  ...store,
  own: seeds.filter((_, at) => at % remote.length === index),
}))

/** Runners are processes of this machine, while commands in this process count as those of another machine. */
const { name: here } = thisHost
beforeAll(() => void Object.assign(thisHost, { name: 'another-runner' }))
afterAll(() => void Object.assign(thisHost, { name: here }))

let runners = 0
/** A machine that has the manifest and nothing else. */
const newRunner = async (scene: Scene): Promise<Installation> => {
  runners += 1
  const folder = join(scene.folder, `runner-${runners}`)
  await mkdir(folder)
  await copyFile(join(scene.folder, 'deploymgmt.yaml'), join(folder, 'deploymgmt.yaml'))
  return within(scene, folder)
}

/**
 * Kills the apply of a runner at its n-th request, while others are in flight, and deletes everything the runner had.
 */
const loseRunner = async (
  scene: Scene,
  { request, fate }: { request: number; fate: typeof before },
): Promise<boolean> => {
  const runner = await newRunner(scene)
  let left = request
  const { steer, caught } = catching(() => {
    left -= 1
    return left === 0
  }, fate)
  scene.proxy.steer(steer)
  const { child, ended } = start(runner, ['apply', '--auto-approve'])
  const isCaught = await Promise.race([caught.then(() => true), ended.then(() => false)])
  child.kill('SIGKILL')
  const { signal } = await ended
  // What is caught gets no answer, so its runner cannot have ended.
  expect(signal === 'SIGKILL').toBe(isCaught)
  await scene.proxy.drained()
  scene.proxy.steer(pass)
  await rm(runner.folder, { recursive: true })
  return isCaught
}

/** The addresses in the manifest whose things exist at the service. */
const madeAt = async (scene: Scene): Promise<string[]> => {
  const { users, projects } = await scene.control('GET', 'dump')
  return [
    ...users.map(() => 'users.dana'),
    ...projects[0].maintenanceWindows.map(() => 'maintenanceWindows.migration'),
  ]
}

/** Expects that everything that exists is in the state, recorded or unknown, and exists once. */
const expectNothingSilent = async (scene: Scene, runner: Installation): Promise<number> => {
  const made = await madeAt(scene)
  const [recorded, unknown] = [await addressesIn(runner, 'recorded'), await addressesIn(runner, 'unknown')]
  expect(made.filter((address) => ![...recorded, ...unknown].includes(address))).toEqual([])
  expect(new Set(made).size).toBe(made.length)
  return unknown.length
}

/** Another runner takes over after a person has said that the previous one ended. */
const recover = async (scene: Scene, runner: Installation): Promise<number> => {
  const refused = await runner.run('state', 'mv', 'users.nobody', 'users.none')
  const [, id] = /deploymgmt state unlock (?<id>\S+)/u.exec(refused.stderr) ?? []
  if (id !== undefined)
    expect(await runner.run('state', 'unlock', id, '--owner-ended')).toMatchObject({ code: 0 })
  const asked = namedIn((await runner.run('plan')).stderr)
  await scene.control('POST', 'clock', { advance: 'PT3M' })
  await resolveAll(runner, namedIn((await runner.run('plan')).stderr))
  // Everything else is left for the next runner.
  expect((await runner.run('apply', '--auto-approve', '--target', 'alertConfigurations.*')).code).toBe(0)
  return asked.length
}

describe.each(ofStores)(
  'a runner that is killed and lost with its disk, with its state in $name,',
  ({ name, begin: beginStore, setUp, own }) => {
    setUp?.()
    let killed = 0

    it.each(own)('loses, doubles and hides nothing, again and again (seed %i)', async (seed) => {
      const scene = await begin({ manifest: manifestWith(), proxied: true })
      const { address } = await beginStore()
      scene.env['DEPLOYMGMT_STATE'] = address
      const expected = { name: 'test', baseUrl: scene.env['DEPLOYMGMT_BASE_URL'] ?? '' }
      await initState({ statePath: address, folder: scene.folder, expect: expected, command: 'state init' })
      let [kills, unknown, asked] = [0, 0, 0]
      for (const each of sample(moment, { seed, numRuns: IN_A_ROW })) {
        if (await loseRunner(scene, each)) kills += 1
        const runner = await newRunner(scene)
        unknown += await expectNothingSilent(scene, runner)
        asked += await recover(scene, runner)
      }
      await expectRecovered(await newRunner(scene))
      expect(asked).toBeLessThanOrEqual(unknown)
      killed += kills
      tell('Runners lost with their disks', name, { Kills: kills, Unknown: unknown, 'For a person': asked })
    })

    it('was killed at least once in each row on average', () => {
      expect(killed).toBeGreaterThanOrEqual(own.length)
    })
  },
)
