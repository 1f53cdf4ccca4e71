import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { thisHost } from '../../reconciler/state/index.ts'
import { stores } from '../reconciler/state/stores/support/kinds-of-store.ts'
import { stateServer } from '../reconciler/state/stores/support/state-server.ts'
import { FOLDER } from '../support/folder.ts'
import { type Installation, manifestWith, within } from '../support/installation.ts'
import { start } from '../support/process.ts'
import { begin, type Scene } from '../support/scene.ts'
import { isOver, killedAsItOpens, lasting, QUIET, silences, windowOf } from '../support/silence.ts'

/** Places of the state; silences are stored beside it. */
const places = [
  ...stores
    .filter(({ name }) => name === 'git' || name === 'Postgres')
    .map(({ name, setUp, begin: beginStore }) => ({
      name,
      setUp,
      addressOf: async () => (await beginStore()).address,
    })),
  {
    name: 'http',
    setUp: undefined,
    addressOf: async () => {
      const server = await stateServer('gitlab')
      server.beside = await stateServer('gitlab', { state: 'acme-silences' })
      return server.address
    },
  },
]

/**
 * Child processes count as processes of this machine, while commands in this process count as those of another machine.
 */
const { name: host } = thisHost
beforeAll(() => void Object.assign(thisHost, { name: 'another-runner' }))
afterAll(() => void Object.assign(thisHost, { name: host }))

/** Another machine that has the manifest and nothing else. */
const machine = async (scene: Scene): Promise<Installation> => {
  const folder = await mkdtemp(FOLDER)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await copyFile(join(scene.folder, 'deploymgmt.yaml'), join(folder, 'deploymgmt.yaml'))
  return within(scene, folder)
}

describe.each(places)('a silence whose state is in $name', ({ setUp, addressOf }) => {
  setUp?.()

  const scene = async (): Promise<Scene> => {
    const here = await begin({ manifest: manifestWith(), proxied: true })
    await rm(join(here.folder, 'deploymgmt.state.json'))
    here.env['DEPLOYMGMT_STATE'] = await addressOf()
    return here
  }

  it('is listed by another machine, and ended by it', async () => {
    const here = await scene()
    const [one, two] = [await machine(here), await machine(here)]
    expect(await one.run(...QUIET)).toMatchObject({ code: 0 })
    const { id, endDate } = await windowOf(here)
    expect(await silences(two)).toMatchObject([{ id, endDate, status: 'open' }])
    expect(await two.run('silence', 'end', id)).toMatchObject({ code: 0 })
    expect(await windowOf(here)).toSatisfy(isOver)
    expect(await silences(one)).toEqual([])
  })

  it('is told of elsewhere where its machine is lost, until it ends by itself', async () => {
    const here = await scene()
    const [lost, other] = [await machine(here), await machine(here)]
    const { child, ended, says } = start(lost, [...QUIET, '--', ...lasting()])
    await says('under way')
    child.kill('SIGKILL')
    await rm(lost.folder, { recursive: true })
    const { id, endDate } = await windowOf(here)
    expect(await silences(other)).toMatchObject([{ id, endDate, status: 'open' }])
    await here.control('POST', 'clock', { now: endDate })
    expect((await other.run('silence', 'list')).stdout).toBe('Nothing is silenced.\n')
    await ended
  })

  it('is told of where it was lost as it was opened, and ended once its lock is removed', async () => {
    const here = await scene()
    const [lost, other] = [await machine(here), await machine(here)]
    await killedAsItOpens(here, lost)
    await rm(lost.folder, { recursive: true })
    expect(await silences(other)).toMatchObject([{ id: null, status: 'unknown' }])
    const refused = await other.run('silence', 'end', '--everything', '--lock-timeout', '0s')
    const [, unlock = ''] = /deploymgmt (state unlock .*)$/mu.exec(refused.stderr) ?? []
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-LOCKED') })
    expect(await other.run(...unlock.split(' '), '--owner-ended')).toMatchObject({ code: 0 })
    expect(await other.run('silence', 'end', '--everything')).toMatchObject({ code: 0 })
    expect(await windowOf(here)).toSatisfy(isOver)
    expect(await silences(other)).toEqual([])
  })
})
