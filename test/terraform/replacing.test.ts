/** Replacements: Terraform hands the destroy of a tainted object nothing of what was remembered. */
import { describe, expect, it } from 'vitest'
import { fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import { SAM } from '../support/people.ts'
import { migration, NOISY, noisy, resource, text, user } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, begin, type Workspace } from './support/workspace.ts'

const windowsIn = async (here: Workspace): Promise<any[]> =>
  (await here.control('GET', 'dump')).projects.flatMap(({ maintenanceWindows }: any) => maintenanceWindows)
const alertIn = async (here: Workspace, id: string): Promise<any> =>
  (await here.control('GET', 'dump')).projects[0].alertConfigs.find((each: any) => each.id === id)
const withSam = () => ({
  ...fixtureWith(),
  users: [{ id: SAM, username: 'sam@example.com', roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }] }],
})
const sam = (more: Record<string, string> = {}) =>
  resource('user', 'sam', {
    user_id: text(SAM),
    roles_complete: 'true',
    roles: '[{ role_name = "ORG_READ_ONLY", org_id = "ORG_ID" }]',
    on_remove: '"revoke"',
    ...more,
  })

describe.skipIf(noTerraform)('a tainted object that is replaced', () => {
  it('is ended by what its attributes tell, where it is a window', async () => {
    const here = await applied(migration())
    const [{ id }] = await windowsIn(here)
    await here.newWrites()
    await here.expect(0, 'taint', 'deploymgmt_maintenance_window.migration')
    await here.apply()
    expect(await here.newWrites()).toEqual([
      `PATCH /groups/${PROJECT}/maintenanceWindows/${id}`,
      `POST /groups/${PROJECT}/maintenanceWindows/`,
    ])
    await here.expectNoChanges()
  })

  it('is revoked by what its attributes tell, where it is an adopted user', async () => {
    const here = await applied(sam(), { fixture: withSam() })
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.expect(0, 'taint', 'deploymgmt_user.sam')
    await here.apply()
    expect(await here.newWrites()).toEqual([`PATCH /users/${SAM}`, `PATCH /users/${SAM}`])
    await here.expectNoChanges()
  })

  it('is not restored from nothing: the destroy is refused, and untaint brings the memory back', async () => {
    const here = await applied(noisy({ on_remove: '"restore"' }))
    await here.expect(0, 'taint', 'deploymgmt_alert_configuration.noisy')
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(/Alert configuration \S+: on_remove = "restore" cannot be done/)
    expect(said).toContain('terraform untaint')
    expect(await here.newWrites()).toEqual([])
    await here.expect(0, 'untaint', 'deploymgmt_alert_configuration.noisy')
    await here.expectNoChanges()
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: true })
  })

  it('is restored by a destroy, which is told what it was before', async () => {
    const here = await applied(noisy({ on_remove: '"restore"' }))
    await here.expect(0, 'taint', 'deploymgmt_alert_configuration.noisy')
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: true })
  })

  it('is not forgotten where it is a created user, whom nothing can create again', async () => {
    const here = await applied(user())
    await here.expect(0, 'taint', 'deploymgmt_user.dana')
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('terraform untaint')
    expect(await here.newWrites()).toEqual([])
    await here.expect(0, 'untaint', 'deploymgmt_user.dana')
    await here.expectNoChanges()
  })
})

describe.skipIf(noTerraform)('two resources of one thing in one apply', () => {
  it('do not undo each other: what the new one has just written is not taken back by the old one', async () => {
    const here = await begin({ fixture: withSam() })
    const lifecycle = '  lifecycle {\n    create_before_destroy = true\n  }\n'
    const adopted = (name: string) =>
      resource(
        'user',
        name,
        {
          user_id: text(SAM),
          roles_complete: 'true',
          roles: '[{ role_name = "ORG_READ_ONLY", org_id = "ORG_ID" }]',
          on_remove: '"revoke"',
        },
        lifecycle,
      )
    await here.change(adopted('sam'))
    await here.newWrites()
    await here.control('POST', 'clock', { advance: 'PT1M' })
    const { said } = await here.apply('-replace=deploymgmt_user.sam')
    expect(said).toMatch(/left as it is.*same apply/)
    expect(await here.newWrites()).toEqual([`PATCH /users/${SAM}`])
    await here.expectNoChanges()
    await here.change('')
    expect(await here.newWrites()).toEqual([`PATCH /users/${SAM}`])
  })
})
