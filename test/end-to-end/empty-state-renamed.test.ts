/** The name of a manifest is corrected before anything is recorded: the error says how to go on. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { begin, only } from '../support/scene.ts'

it('an empty state of another name is refused with the command that begins again, which then does', async () => {
  const paging = only('integrations', '  paging: { type: PAGING }')
  const here = await begin({ manifest: paging.replace('name: test', 'name: corrected') })
  const { code, stderr } = await here.run('plan')
  expect(code).toBe(1)
  expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
    /DM-STATE-MISMATCH.*"test".*"corrected".*It records nothing yet: delete it and start again with deploymgmt state init/,
  )
  await rm(join(here.folder, 'deploymgmt.state.json'))
  expect(await here.run('state', 'init')).toMatchObject({ code: 0 })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
})
