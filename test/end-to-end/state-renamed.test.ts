/** The name of a manifest, or the address of the service, has changed: the error says how to go on. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { begin, only, type Scene } from '../support/scene.ts'

const PAGING = only('integrations', '  paging: { type: PAGING }')

it('an empty state of another name is refused with the command that begins again, which then does', async () => {
  const here = await begin({ manifest: PAGING.replace('name: test', 'name: corrected') })
  const { code, stderr } = await here.run('plan')
  expect(code).toBe(1)
  expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
    /DM-STATE-MISMATCH.*"test".*"corrected".*It records nothing yet: delete it and start again with deploymgmt state init/,
  )
  await rm(join(here.folder, 'deploymgmt.state.json'))
  expect(await here.run('state', 'init')).toMatchObject({ code: 0 })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
})

/** Pulls the state, takes it away, and pushes it with another text in one place, as docs/state.md says. */
const pushedWith = async (here: Scene, before: string, after: string): Promise<void> => {
  const kept = join(here.folder, 'kept.json')
  expect(await here.run('state', 'pull', '--output', 'kept.json')).toMatchObject({ code: 0 })
  await rm(join(here.folder, 'deploymgmt.state.json'))
  const text = await readFile(kept, 'utf8')
  expect(text).toContain(before)
  await writeFile(kept, text.replace(before, after))
  expect(await here.run('state', 'push', 'kept.json')).toMatchObject({ code: 0 })
}

it('a manifest that was renamed on purpose keeps its records once the state has the new name', async () => {
  const here = await begin({ manifest: PAGING })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  await here.manifest(PAGING.replace('name: test', 'name: renamed'))
  const { stderr } = await here.run('plan')
  expect(stderr).toContain('If the manifest was renamed on purpose, change `name` in the state, too.')
  await pushedWith(here, '"name": "test"', '"name": "renamed"')
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
})

it('a service with a new address keeps its records once the state has that address', async () => {
  const here = await begin({ manifest: PAGING })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const [before, after] = ['127.0.0.1', 'localhost']
  here.env['DEPLOYMGMT_BASE_URL'] = (here.env['DEPLOYMGMT_BASE_URL'] ?? '').replace(before, after)
  const { stderr } = await here.run('plan')
  expect(stderr).toContain('If the same service now has another address, change `baseUrl` in the state, too.')
  await pushedWith(here, before, after)
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
})
