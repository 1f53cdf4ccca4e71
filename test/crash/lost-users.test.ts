import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { manifestWith, type Installation } from '../support/installation.ts'
import { begin } from '../support/scene.ts'
import { expectConverged, expectStuck, resolve, unknownIn } from './support/unknown.ts'

let here: Installation

const DANA = manifestWith({ apiKeys: '', alertConfigurations: '', maintenanceWindows: '', integrations: '' })
const held = async (): Promise<any[]> => (await here.control('GET', 'dump')).users

const applyAndLose = async (fault: string): Promise<void> => {
  here = await begin({ manifest: DANA })
  await here.control('POST', 'faults', { method: 'POST', path: '^/users$', fault, count: 1 })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
}

describe('a user whose creation lost its answer', () => {
  it('exists by its event, is never created again, and is recorded with the id that a person finds', async () => {
    await applyAndLose('reset-after')
    const said = await expectStuck(here, ['users.dana'])
    expect(said).toContain('dana@example.com exists; its id is in no event')
    const [{ id }] = await held()
    await resolve(here, 'users.dana', '--created', id)
    await expectConverged(here)
    expect(await held()).toHaveLength(1)
    expect((await here.state()).resources['users.dana'].identity).toEqual({ userId: id })
  })

  it('is not created twice when a person is wrong: the service refuses, and the message says how to adopt it', async () => {
    await applyAndLose('reset-after')
    await resolve(here, 'users.dana', '--not-created')
    const { code, stdout, stderr } = await here.run('apply', '--auto-approve')
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('DM-ALREADY-EXISTS')
    expect(stdout + stderr).toContain('declare its userId')
    expect(await held()).toHaveLength(1)
    expect(await unknownIn(here)).toEqual([])
  })

  it('that never reached the service is created after --not-created', async () => {
    await applyAndLose('reset-before')
    expect(await expectStuck(here, ['users.dana'])).toContain('no event shows it')
    await resolve(here, 'users.dana', '--not-created')
    await expectConverged(here)
    expect(await held()).toHaveLength(1)
  })

  it('has its password in no file that the crash leaves behind', async () => {
    await applyAndLose('reset-after')
    const files = (await readdir(here.folder)).filter((name) => name !== 'deploymgmt.yaml')
    expect(files).toContain('deploymgmt.state.journal')
    const texts = await Promise.all(files.map((name) => readFile(`${here.folder}/${name}`, 'utf8')))
    expect(texts.join('\n')).not.toContain('canary')
  })
})
