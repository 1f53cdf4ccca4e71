import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bareRepository } from '../support/git.ts'
import { PROJECT } from '../support/installation.ts'
import { begin, only, writesIn } from '../support/scene.ts'

const WINDOW = only(
  'maintenanceWindows',
  `  night: { projectId: ${PROJECT}, alertTypeNames: [HOST], startDate: 2035-01-01T02:00:00Z, endDate: 2035-01-01T04:00:00Z }`,
)

it('what an apply could not record is brought home with the command that its message names', async () => {
  const bare = await bareRepository()
  const manifest = `${WINDOW}state: git+file://${bare}#state\n`
  const here = await begin({ proxied: true, manifest })
  await here.run('state', 'copy', '--from', 'deploymgmt.state.json', '--to', `git+file://${bare}#state`)
  const refuse = async (code: number) => {
    const hook = join(bare, 'hooks', 'pre-receive')
    await writeFile(hook, `#!/bin/sh\nexit ${code}\n`)
    await chmod(hook, 0o755)
  }
  here.proxy.steer(async ({ write }, forward) => {
    if (write > 0) await refuse(1)
    return forward()
  })
  const ran = await here.run('apply', '--auto-approve')
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-WRITE') })
  const [name] = (await readdir(here.folder)).filter((each) => each.startsWith('deploymgmt.rescue.'))
  expect(ran.stderr).toContain(`deploymgmt state push ${join(here.folder, name ?? '')}`)
  await refuse(0)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DM-STATE-LOCKED'),
  })
  const pushed = await here.run('state', 'push', name ?? '')
  expect(pushed).toMatchObject({ code: 0 })
  expect(pushed.stderr).toContain('1 record of')
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  expect(await writesIn(here)).toHaveLength(1)
})
