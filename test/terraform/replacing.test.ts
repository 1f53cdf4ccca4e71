/** Replacements: Terraform hands the destroy of a tainted object nothing of what was remembered. */
import { describe, expect, it } from 'vitest'
import { fixtureWith, ORG, PROJECT, failing } from '../support/installation.ts'
import { SAM } from '../support/people.ts'
import { HOST_DOWN, hostDown, migration, NOISY, noisy, resource, text, user } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, begin, configured, type Workspace } from './support/workspace.ts'

const SECOND = '5d1113b25a115342acc2d0f4'
const windowsIn = async (here: Workspace): Promise<any[]> =>
  (await here.control('GET', 'dump')).projects.flatMap(({ maintenanceWindows }: any) => maintenanceWindows)
const alertIn = async (here: Workspace, id: string): Promise<any> =>
  (await here.control('GET', 'dump')).projects[0].alertConfigs.find((each: any) => each.id === id)
const twoDown = () =>
  fixtureWith({
    alertConfigs: [HOST_DOWN, SECOND].map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: false })),
  })
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

describe.skipIf(noTerraform)('an adoption whose write failed', () => {
  const lost = { method: 'PATCH', path: 'alertConfigs', fault: 'reset-after', count: 1 }

  it('stays in the state with what it was before, so that a destroy restores it', async () => {
    const here = await configured(noisy({ on_remove: '"restore"' }))
    await here.control('POST', 'faults', lost)
    const { said } = await here.expect(0, 'apply', '-auto-approve')
    expect(said).toMatch(/Whether the service carried it out is unknown/)
    expect(await here.state('alert_configuration.noisy')).toMatchObject({ evidence: 'unknown' })
    await here.expectNoChanges()
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: true })
  })

  it('is asserted again by the next apply where it had no effect', async () => {
    const here = await configured(noisy({ on_remove: '"restore"' }))
    await here.control('POST', 'faults', { ...lost, fault: 'reset-before' })
    await here.expect(0, 'apply', '-auto-approve')
    const { changes } = await here.plan()
    expect(changes).toMatchObject([{ actions: ['update'], after: { enabled: false } }])
    await here.apply()
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: true })
  })

  it('remembers the first of two where the second was refused', async () => {
    const here = await configured(hostDown({ on_remove: '"restore"' }), { fixture: twoDown() })
    await failing(here, 'PATCH', SECOND, { fault: 'status', status: 403, count: 1 })
    const { said } = await here.expect(0, 'apply', '-auto-approve')
    expect(said).toContain('DM-FORBIDDEN')
    const { changes } = await here.plan()
    expect(changes).toMatchObject([
      { actions: ['update'], after: { configurations: { [HOST_DOWN]: true, [SECOND]: true } } },
    ])
    await here.apply()
    await here.expect(0, 'destroy', '-auto-approve')
    for (const id of [HOST_DOWN, SECOND]) expect(await alertIn(here, id)).toMatchObject({ enabled: false })
  })

  it('is an error where nothing was written, and nothing is in the state', async () => {
    const here = await configured(noisy())
    await here.control('POST', 'faults', { ...lost, fault: 'status', status: 403 })
    expect((await here.expect(1, 'apply', '-auto-approve')).said).toContain('DM-FORBIDDEN')
    expect(await here.state('alert_configuration.noisy')).toBeUndefined()
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
