/** What somebody else changes between a plan and its apply. */
import { describe, expect, it } from 'vitest'
import { CI, fixtureWith, ORG, PROJECT, type Key } from '../support/installation.ts'
import { apiKey, HOST_DOWN, hostDown, migration, NOISY, noisy, oldChat, REPORTER } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, begin, windowsIn, type Workspace } from './support/workspace.ts'

const later = (here: Workspace) => here.control('POST', 'clock', { advance: 'PT1M' })

/** Applied some time ago, so that what follows does not happen in the same moment. */
const appliedBefore = async (hcl: string, fixture: object = fixtureWith()): Promise<Workspace> => {
  const here = await applied(hcl, { fixture })
  await later(here)
  return here
}

const prolong = (here: Workspace, id: string, key?: Key) =>
  here.outside(
    'PATCH',
    `/groups/${PROJECT}/maintenanceWindows/${id}`,
    { endDate: '2035-01-06T09:00:00Z' },
    key,
  )

const prolongedUnseen = async (more: Parameters<typeof migration>[0] = {}): Promise<Workspace> => {
  const here = await begin()
  await here.change(migration(), 'provider "deploymgmt" {}\n')
  await later(here)
  await prolong(here, (await windowsIn(here))[0].id)
  await here.configure(migration({ description: '"Other"', ...more }), 'provider "deploymgmt" {}\n')
  return here
}

describe.skipIf(noTerraform)('an apply after someone else’s change that its plan did not show', () => {
  it('leaves a window alone, and says who changed it and when', async () => {
    const here = await appliedBefore(migration())
    const { id } = (await windowsIn(here))[0]
    await here.configure(migration({ description: '"Other"' }))
    await here.plan()
    await prolong(here, id)
    await here.newWrites()
    const { said } = await here.expect(1, 'apply', 'saved.plan')
    expect(said).toContain('DM-PLAN-STALE')
    expect(said).toMatch(/key "oncall".*MAINTENANCE_WINDOW.*event \w+/)
    // The event tells all fields, and this one alone is not as it was last written.
    expect(said).toMatch(/the plan was made from: end_date "2035-01-06T09:00:00Z" \(key "oncall"/)
    expect(said).toMatch(/Plan again/)
    expect(said).toContain('allow = ["overwrite"]')
    expect(await here.newWrites()).toEqual([])
    expect((await windowsIn(here))[0].endDate).toBe('2035-01-06T09:00:00Z')
  })

  it('does not call itself somebody else where the provider’s own key made that change', async () => {
    const here = await appliedBefore(migration())
    const { id } = (await windowsIn(here))[0]
    await here.configure(migration({ description: '"Other"' }))
    await here.plan()
    await prolong(here, id, CI)
    const { said } = await here.expect(1, 'apply', 'saved.plan')
    expect(said).toMatch(/DM-PLAN-STALE: Maintenance window \w+ was changed since the read.*key "ciadmin"/)
    expect(said).toContain('This provider has that key: perhaps another state')
  })

  it('goes on once it was planned again, since the plan shows then what it overwrites', async () => {
    const here = await appliedBefore(migration())
    const { id } = (await windowsIn(here))[0]
    await here.configure(migration({ description: '"Other"' }))
    await here.plan()
    await prolong(here, id)
    const { changes } = await here.plan()
    expect(changes).toMatchObject([
      { before: { end_date: null }, after: { end_date: '2035-01-06T04:00:00Z' } },
    ])
    await here.expect(0, 'apply', 'saved.plan')
    expect((await windowsIn(here))[0]).toMatchObject({
      endDate: '2035-01-06T04:00:00Z',
      description: 'Other',
    })
    await here.expectNoChanges()
  })

  it('overwrites where that is allowed', async () => {
    const here = await appliedBefore(migration())
    const { id } = (await windowsIn(here))[0]
    await here.configure(migration({ description: '"Other"', allow: '["overwrite"]' }))
    await here.plan()
    await prolong(here, id)
    await here.expect(0, 'apply', 'saved.plan')
    expect((await windowsIn(here))[0]).toMatchObject({
      endDate: '2035-01-06T04:00:00Z',
      description: 'Other',
    })
  })

  it('leaves the roles of an API key alone', async () => {
    const here = await appliedBefore(apiKey())
    await here.configure(apiKey({ desc: '"Other"' }))
    await here.plan()
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles: ['ORG_READ_ONLY'] })
    await here.newWrites()
    const { said } = await here.expect(1, 'apply', 'saved.plan')
    expect(said).toMatch(/DM-PLAN-STALE.*key "oncall".*API_KEY_ROLES_CHANGED/)
    expect(await here.newWrites()).toEqual([])
  })

  it('does not switch an alert configuration where the plan was of on_remove alone', async () => {
    const here = await appliedBefore(noisy())
    await here.configure(noisy({ on_remove: '"restore"' }))
    await here.plan()
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${NOISY}`, { enabled: true })
    await here.newWrites()
    const { said } = await here.expect(1, 'apply', 'saved.plan')
    expect(said).toMatch(/DM-PLAN-STALE.*enabled false -> true \(key "oncall"/)
    expect(await here.newWrites()).toEqual([])
  })

  const tookOn = 'names who changed a value back that the state had taken on'

  it(`${tookOn}, also where the plan was made without a refresh`, async () => {
    const path = `/groups/${PROJECT}/alertConfigs/${NOISY}`
    const here = await appliedBefore(noisy({ enabled: 'true' }))
    await here.outside('PATCH', path, { enabled: false })
    await here.apply('-refresh-only')
    await later(here)
    await here.outside('PATCH', path, { enabled: true })
    await here.configure(noisy({ on_remove: '"restore"' }))
    await here.plan('-refresh=false')
    const { said } = await here.expect(1, 'apply', 'saved.plan')
    expect(said).toMatch(/DM-PLAN-STALE.*since the read that.*: enabled false -> true \(key "oncall"/)
  })

  it(`${tookOn}, also of a selector`, async () => {
    const path = `/groups/${PROJECT}/alertConfigs/${HOST_DOWN}`
    const here = await appliedBefore(hostDown())
    await here.outside('PATCH', path, { enabled: false })
    await here.apply('-refresh-only')
    await later(here)
    await here.outside('PATCH', path, { enabled: true })
    await here.configure(hostDown({ enabled: 'false', on_remove: '"restore"' }))
    await here.plan('-refresh=false')
    const { said } = await here.expect(1, 'apply', 'saved.plan')
    expect(said).toMatch(new RegExp(`DM-PLAN-STALE.*${HOST_DOWN}.*: enabled false -> true \\(key "oncall"`))
  })

  it('does not switch one of several that the plan showed as it should be', async () => {
    const second = '5d1113b25a115342acc2d0f4'
    const here = await appliedBefore(
      hostDown(),
      fixtureWith({
        alertConfigs: [HOST_DOWN, second].map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: false })),
      }),
    )
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${HOST_DOWN}`, { enabled: false })
    await here.plan()
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${second}`, { enabled: false })
    await here.newWrites()
    const { said } = await here.expect(1, 'apply', 'saved.plan')
    expect(said).toMatch(new RegExp(`DM-PLAN-STALE.*${second}.*: enabled true -> false \\(key "oncall"`))
    expect(await here.newWrites()).toEqual([])
  })

  it('does not delete an integration that came back after the plan', async () => {
    const here = await appliedBefore(oldChat)
    await here.configure(oldChat.replace('}\n', '  allow = []\n}\n'))
    await here.plan()
    await here.control('PUT', `projects/${PROJECT}/integrations`, [
      { type: 'CHAT_A', apiToken: 'back-canary' },
    ])
    const { said } = await here.expect(1, 'apply', 'saved.plan')
    expect(said).toMatch(/DM-PLAN-STALE.*CHAT_A/)
    expect(await here.newWrites()).toEqual([])
  })

  describe('where no event could tell of it before the answer to another write did', () => {
    it('is not overwritten, and the next plan shows what would be put back', async () => {
      const here = await prolongedUnseen()
      const { said } = await here.expect(1, 'apply', '-auto-approve')
      expect(said).toMatch(/DM-GUARD: refused: .*end_date.*allow = \["overwrite"\]/s)
      expect((await windowsIn(here))[0]).toMatchObject({
        endDate: '2035-01-06T09:00:00Z',
        description: 'Other',
      })
      expect((await here.expect(2, 'plan', '-detailed-exitcode')).said).toMatch(/~ end_date/)
      await here.apply()
      expect((await windowsIn(here))[0]).toMatchObject({ endDate: '2035-01-06T04:00:00Z' })
    })

    it('is overwritten where that is allowed, and said', async () => {
      const here = await prolongedUnseen({ allow: '["overwrite"]' })
      const { said } = await here.apply()
      expect(said).toMatch(/Warning: Maintenance window: .*end_date/)
      expect((await windowsIn(here))[0]).toMatchObject({
        endDate: '2035-01-06T04:00:00Z',
        description: 'Other',
      })
    })
  })
})
