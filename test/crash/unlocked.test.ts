import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSession, unlockState } from '../../reconciler/state/index.ts'
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
      await unlockState({ statePath }, busy?.id ?? '')
      later += 31_000
      return LIMITED
    })
    const now = (): Date => new Date(Date.now() + later)
    const ran = await runHere(here, ['apply', '--auto-approve', '--state', statePath], { now })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-CONFLICT') })
    expect(ran.stdout + ran.stderr).toContain('the lock was taken away')
    expect(writes).toBe(1)
  },
)
