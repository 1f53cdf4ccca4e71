/** After two interrupts, or a provider that ended, Terraform has the attributes of before and nothing of what was kept. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../support/installation.ts'
import { resource } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, windowsIn, type Workspace } from './support/workspace.ts'

const DECLARED = [
  resource('maintenance_window', 'move', {
    project_id: '"PROJECT_ID"',
    alert_type_names: '["HOST"]',
    start_date: '"2035-02-01T01:00:00Z"',
    end_date: '"2035-02-01T03:00:00Z"',
    description: '"one"',
  }),
  resource('user', 'new', {
    username: '"new@example.com"',
    email_address: '"new@example.com"',
    first_name: '"N"',
    last_name: '"N"',
    mobile_number: '"2125550198"',
    password: '"Correct-Horse-7"',
    on_remove: '"revoke"',
    roles:
      '[{ role_name = "ORG_MEMBER", org_id = "ORG_ID" }, { role_name = "GROUP_READ_ONLY", project_id = "PROJECT_ID" }]',
  }),
].join('\n')

const userIn = async (here: Workspace): Promise<any> =>
  (await here.control('GET', 'dump')).users.find(({ username }: any) => username === 'new@example.com')

/** The last write has come through, and Terraform knows nothing of it. */
const begun = async (): Promise<Workspace> => {
  const here = await applied(DECLARED)
  const [{ id }] = await windowsIn(here)
  await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'two' })
  await forget(here)
  return here
}

const forget = async ({ folder }: Workspace): Promise<void> => {
  const path = join(folder, 'terraform.tfstate')
  const state = JSON.parse(await readFile(path, 'utf8'))
  for (const { instances } of state.resources) for (const instance of instances) delete instance.private
  await writeFile(path, JSON.stringify({ ...state, serial: state.serial + 1 }))
}

describe.skipIf(noTerraform)('what was kept of windows and users and is lost', () => {
  it('is a change of the plan, which the apply asserts', async () => {
    const here = await begun()
    const planned = await here.expect(2, 'plan', '-detailed-exitcode')
    expect(planned.said).toContain('what was last written is not known')
    expect(planned.said).toContain('0 to add, 2 to change, 0 to destroy')
    await here.apply()
    expect(await windowsIn(here)).toMatchObject([{ description: 'one' }])
    await here.expectNoChanges()
  })

  it('is no more lost after a refresh alone', async () => {
    const here = await begun()
    await here.expect(0, 'apply', '-refresh-only', '-auto-approve')
    await here.apply()
    expect(await windowsIn(here)).toMatchObject([{ description: 'one' }])
    await here.expectNoChanges()
  })

  it('does not keep a destroy from what it says', async () => {
    const here = await begun()
    await here.expect(0, 'destroy', '-auto-approve')
    const [{ endDate }] = await windowsIn(here)
    expect(Date.parse(endDate)).toBeLessThan(Date.parse('2035-02-01T01:00:00Z'))
    const { roles, invitations } = await userIn(here)
    expect([roles, invitations]).toEqual([[], []])
  })
})
