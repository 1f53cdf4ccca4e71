import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSession, readSession, thisHost, unlockState } from '../../reconciler/state/index.ts'
import { bareRepository } from '../support/git.ts'
import { runHere } from '../support/command.ts'
import { begin, only } from '../support/scene.ts'

const NOISY = only(
  'alertConfigurations',
  '  noisy: { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: false }',
)
const LIMITED = {
  status: 429,
  headers: { 'retry-after': '0', 'content-type': 'application/json' },
  body: JSON.stringify({ error: 429, errorCode: 'RATE_LIMITED', detail: 'Too many requests.' }),
}

const PLACES: readonly [string, (folder: string) => Promise<string>][] = [
  ['a file', async (folder) => join(folder, 'own.state.json')],
  ['git', async () => `git+file://${await bareRepository()}#state`],
]

it.each(PLACES)(
  'a request to the owner of a state in %s that was unlocked meanwhile is not sent again after half a minute',
  async (_, placeIn) => {
    const here = await begin({ proxied: true, manifest: NOISY })
    const statePath = await placeIn(here.folder)
    await here.run('state', 'init', '--state', statePath)
    const owner = { name: 'test', baseUrl: here.env['DEPLOYMGMT_BASE_URL'] ?? '' }
    let later = 0
    let writes = 0
    here.proxy.steer(async ({ write }, forward) => {
      if (write === 0) return forward()
      writes += 1
      const { busy } = await readSession({ statePath, expect: owner })
      await unlockState({ statePath }, { id: busy?.id ?? '' })
      later += 31_000
      return LIMITED
    })
    const now = (): Date => new Date(Date.now() + later)
    const ran = await runHere(here, ['apply', '--auto-approve', '--state', statePath], { now })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-CONFLICT') })
    expect(ran.stdout + ran.stderr).toContain('the lock was removed')
    expect(writes).toBe(1)
  },
)

const interrupted = (): Promise<void> => Promise.reject(new Error('interrupted'))

const abandoned = async () => {
  const here = await begin({ manifest: NOISY })
  const statePath = `git+file://${await bareRepository()}#state`
  await here.run('state', 'init', '--state', statePath)
  const where = { statePath, expect: { name: 'test', baseUrl: here.env['DEPLOYMGMT_BASE_URL'] ?? '' } }
  const elsewhere = { ...thisHost, name: 'a-runner-that-is-gone' }
  const left = await openSession({ ...where, command: 'apply' }, { host: elsewhere })
  const { busy } = await readSession(where)
  onTestFinished(() => left.close())
  const apply = (more: Parameters<typeof runHere>[2] = {}) =>
    runHere(here, ['apply', '--auto-approve', '--state', statePath], more)
  const transfer = (more: Parameters<typeof runHere>[2] = {}) =>
    runHere(here, ['state', 'transfer', '*', '--from', statePath, '--to', 'there.json'], more)
  const unlock = (...words: string[]) =>
    here.run('state', 'unlock', busy?.id ?? '', '--state', statePath, ...words)
  return { here, apply, transfer, unlock }
}

it('records are not given to another state while the owner of a lock in git that was removed may still send', async () => {
  const { here, apply, transfer, unlock } = await abandoned()
  await here.run('init', '-f', 'other.yaml', '--state', 'there.json', '--name', 'other')
  expect(await unlock()).toMatchObject({ code: 0 })
  expect(await apply({ pause: async () => {} })).toMatchObject({ code: 0 })
  expect(await transfer({ pause: interrupted })).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('nothing was transferred'),
  })
  const waited: number[] = []
  const pause = async (ms: number): Promise<void> => void waited.push(ms)
  const ran = await transfer({ pause })
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('Waiting 90 s') })
  expect(waited.reduce((sum, ms) => sum + ms, 0)).toBe(90_000)
})

it('after a lock in git was removed, an apply waits for what its owner may still send', async () => {
  const { here, apply, unlock } = await abandoned()
  const locked = await apply()
  expect(locked.stderr).toContain('then waits up to 90 s')
  expect(locked.stderr).toContain('With --owner-ended')
  expect(await unlock()).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/waits up to 90 s; from 150 s from now on, none waits/),
  })
  await here.forgetRequests()
  const interrupts: (() => void)[] = []
  const ran = await apply({
    onInterrupt: (given) => {
      interrupts.push(given)
      return () => interrupts.pop()
    },
    stderrSaid: (text) => {
      if (text.includes('Waiting')) interrupts[0]?.()
    },
  })
  expect(ran).toMatchObject({
    code: 130,
    stderr: expect.stringMatching(
      /Waiting 90 s: the lock was removed at [^]*waits for up to 90 s again, and not longer than until 20/,
    ),
  })
  expect((await here.requests()).log).toEqual([])
})

const later = (): Date => new Date(Date.now() + 3 * 60_000)

it('an apply does not wait for an owner that certainly ended or lost its lock long ago', async () => {
  const [ended, longAgo] = [await abandoned(), await abandoned()]
  expect(await ended.unlock('--owner-ended')).toMatchObject({ code: 0 })
  expect(await longAgo.unlock()).toMatchObject({ code: 0 })
  for (const ran of [await ended.apply(), await longAgo.apply({ now: later })]) {
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stderr).not.toContain('Waiting')
  }
})
