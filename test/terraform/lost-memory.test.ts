/** A provider that ends in the middle of an update: Terraform keeps the old attributes, and no private state. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failing, PROJECT } from '../support/installation.ts'
import { apiKey, HOST_DOWN, hostDown, migration, NOISY, noisy, REPORTER, text, user } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, configured, windowsIn, type Workspace } from './support/workspace.ts'

const MEMBER = '{ role_name = "ORG_MEMBER", org_id = "ORG_ID" }'
const OWNS = '{ role_name = "GROUP_OWNER", project_id = "PROJECT_ID" }'
const READS = '{ role_name = "GROUP_READ_ONLY", project_id = "PROJECT_ID" }'
const dana = (role: string) => user({ roles: `[${MEMBER}, ${role}]`, on_remove: '"revoke"' })
/** One resource of each kind that no endpoint shows, as first declared and as in the interrupted update. */
const ONE = [migration(), dana(READS), apiKey()].join('\n')
const TWO = [migration({ description: '"two"' }), dana(OWNS), apiKey({ desc: '"two"' })].join('\n')

const stateOf = async (here: Workspace): Promise<any> => JSON.parse(await here.read('terraform.tfstate'))
const withState = async (here: Workspace, state: any): Promise<void> =>
  writeFile(join(here.folder, 'terraform.tfstate'), JSON.stringify({ ...state, serial: 1000 }))
const withPrivate = ({ resources, ...state }: any, kept?: string): any => ({
  ...state,
  resources: resources.map(({ instances, ...one }: any) => ({
    ...one,
    instances: instances.map((instance: any) => ({
      ...instance,
      private: kept === undefined ? undefined : Buffer.from(kept).toString('base64'),
    })),
  })),
})

/** The service has carried out the update, and Terraform has the state that it keeps if no answer came. */
const brokenOff = async (first = ONE, update = TWO, kept?: string): Promise<Workspace> => {
  const here = await applied(first)
  const before = await stateOf(here)
  await here.change(update)
  await withState(here, withPrivate(before, kept))
  await here.newWrites()
  return here
}

const rolesOf = ({ roles, invitations = [] }: any): string[] =>
  [...roles, ...invitations].map(({ roleName }: any) => String(roleName)).toSorted(compare)
const compare = (a: string, b: string): number => (a < b ? -1 : 1)

const held = async (here: Workspace): Promise<any> => {
  const { projects, organizations, users } = await here.control('GET', 'dump')
  const key = organizations[0].apiKeys.find(({ id }: any) => id === REPORTER)
  return {
    window: projects[0].maintenanceWindows[0].description,
    key: key.desc,
    roles: rolesOf(users.find(({ username }: any) => username === 'dana@example.com')),
  }
}
const AS_ONE = { window: 'Storage migration', key: 'Reporting', roles: ['GROUP_READ_ONLY', 'ORG_MEMBER'] }
const AS_TWO = { window: 'two', key: 'two', roles: ['GROUP_OWNER', 'ORG_MEMBER'] }
const LOST = /what was remembered about it is lost/

describe.skipIf(noTerraform)('an update of what no endpoint shows, in which the provider ended', () => {
  it('is a change in the next plan, which says so of each, and the apply asserts what is configured', async () => {
    const here = await brokenOff()
    await here.configure(ONE)
    const { changes, said } = await here.plan()
    expect(changes.map(({ address, actions }) => [address, ...actions])).toEqual([
      ['api_key.reporting', 'update'],
      ['maintenance_window.migration', 'update'],
      ['user.dana', 'update'],
    ])
    for (const title of ['Maintenance window', 'User', 'API key'])
      expect(said).toMatch(new RegExp(`Warning: ${title}: ${LOST.source}`))
    expect(said).not.toContain('roles_complete')
    expect(await held(here)).toEqual(AS_TWO)
    await here.expect(0, 'apply', 'saved.plan')
    expect(await held(here)).toEqual(AS_ONE)
    expect((await here.expectNoChanges()).said).not.toMatch(LOST)
  })

  it('can be applied again as it was', async () => {
    const here = await brokenOff()
    await here.apply()
    expect(await held(here)).toEqual(AS_TWO)
    expect(await windowsIn(here)).toHaveLength(1)
    expect((await here.expectNoChanges()).said).not.toMatch(LOST)
  })

  it.each([
    ['after a refresh', []],
    ['without one', ['-refresh=false']],
  ])('is destroyed by what the attributes tell, %s', async (_, words) => {
    const here = await brokenOff()
    await here.expect(0, 'destroy', '-auto-approve', ...words)
    const [{ endDate }] = await windowsIn(here)
    expect(endDate < '2035').toBe(true)
    expect((await held(here)).roles).toEqual([])
  })

  it('is not forgotten by a refresh that is kept', async () => {
    const here = await brokenOff()
    await here.configure(ONE)
    await here.expect(0, 'apply', '-refresh-only', '-auto-approve')
    const { changes, said } = await here.plan()
    expect(said).toMatch(LOST)
    expect(changes.map(({ actions }) => actions)).toEqual([['update'], ['update'], ['update']])
    await here.apply()
    expect(await held(here)).toEqual(AS_ONE)
    await here.expectNoChanges()
    await here.expect(0, 'destroy', '-auto-approve')
    expect((await held(here)).roles).toEqual([])
  })

  it('is destroyed by what the attributes told before a refresh that is kept', async () => {
    const here = await brokenOff()
    await here.expect(0, 'apply', '-refresh-only', '-auto-approve')
    await here.expect(0, 'destroy', '-auto-approve')
    const [{ endDate }] = await windowsIn(here)
    expect(endDate < '2035').toBe(true)
    expect((await held(here)).roles).toEqual([])
  })

  it('is known to be lost where a reading by an earlier version has forgotten that', async () => {
    const here = await brokenOff(ONE, TWO, '{"records":{}}')
    await here.configure(ONE)
    expect((await here.plan()).said).toMatch(LOST)
    await here.apply()
    expect(await held(here)).toEqual(AS_ONE)
    await here.expectNoChanges()
  })

  it('is a change without a refresh, too', async () => {
    const here = await brokenOff()
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.configure(ONE)
    await here.apply('-refresh=false')
    expect(await held(here)).toEqual(AS_ONE)
    await here.expectNoChanges()
  })

  it('leaves a user without an id, who is not forgotten in silence', async () => {
    const here = await configured(dana(READS))
    await failing(here, 'POST', '^/users$', { fault: 'reset-after', count: 1 })
    await here.apply()
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await withState(here, withPrivate(await stateOf(here)))
    for (const words of [[], ['-refresh=false']]) {
      const { said } = await here.expect(1, 'destroy', '-auto-approve', ...words)
      expect(said).toContain('its user_id is not known')
    }
    await here.apply()
    expect((await here.expectNoChanges()).said).not.toMatch(LOST)
  })

  it('may have prolonged a window: it is ended once it should be over', async () => {
    const end = { end_date: '"2036-01-06T04:00:00Z"' }
    const here = await brokenOff(migration(), migration(end))
    await here.control('POST', 'clock', { now: '2035-06-01T00:00:00Z' })
    await here.expect(0, 'destroy', '-auto-approve')
    const [{ endDate }] = await windowsIn(here)
    expect(endDate < '2035-06-02').toBe(true)
  })

  it('and a window that is over since then is found to be over', async () => {
    const here = await brokenOff(migration(), migration({ description: '"two"' }))
    await here.control('POST', 'clock', { now: '2035-06-01T00:00:00Z' })
    await here.apply()
    expect(await here.state('maintenance_window.migration')).toMatchObject({ ended: true })
    await here.expectNoChanges()
    await here.expect(0, 'destroy', '-auto-approve')
  })
})

describe.skipIf(noTerraform)('an update of what is read, in which the provider ended', () => {
  const restored = { on_remove: '"restore"' }

  it.each([
    ['one', 'noisy', NOISY, noisy(restored), noisy({ ...restored, allow_empty: 'true' }), noisy()],
    [
      'what a selector means',
      'host_down',
      HOST_DOWN,
      hostDown(restored),
      hostDown({ ...restored, allow_empty: 'true' }),
      hostDown(),
    ],
  ])('is not restored from nothing, and is said: %s', async (_, name, id, first, update, forgetting) => {
    const here = await brokenOff(first, update)
    const { said } = await here.terraform('plan')
    expect(said).toMatch(LOST)
    for (const words of [[], ['-refresh=false']]) {
      const refused = await here.expect(1, 'plan', '-destroy', ...words)
      expect(refused.said).toMatch(/Error: Alert configuration .*?: on_remove = "restore" cannot be done/)
      expect(refused.said).toContain('removed block with lifecycle { destroy = false }')
      expect(refused.said).not.toContain('untaint')
      expect(refused.said).not.toContain('destroy does what')
    }
    expect(await here.newWrites()).toEqual([])
    // Adopting it anew does not bring back what was known of it before.
    await here.apply()
    await here.expect(1, 'destroy', '-auto-approve')
    await here.change(forgetting)
    expect((await here.expectNoChanges()).said).not.toMatch(LOST)
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await here.newWrites()).toEqual([])
    const { projects } = await here.control('GET', 'dump')
    expect(projects[0].alertConfigs.find((each: any) => each.id === id)).toMatchObject({
      enabled: name === 'host_down',
    })
  })

  it('is not given up for another one by an apply that could not restore it: its plan is refused', async () => {
    const here = await brokenOff(noisy(restored), noisy({ ...restored, allow_empty: 'true' }))
    await here.configure(noisy({ ...restored, alert_config_id: text(HOST_DOWN) }))
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(/Error: Alert configuration .*?: on_remove = "restore" cannot be done/)
    expect(said).not.toContain('destroy does what')
  })

  it('is as it is read, where nothing is to be put back', async () => {
    const here = await brokenOff(noisy(), noisy({ enabled: 'true' }))
    await here.configure(noisy())
    const { changes, said } = await here.plan()
    expect(changes).toMatchObject([{ actions: ['update'], before: { enabled: true } }])
    expect(said).not.toMatch(LOST)
    await here.apply()
    expect(await here.newWrites()).toEqual([`PATCH /groups/${PROJECT}/alertConfigs/${NOISY}`])
    await here.expectNoChanges()
  })
})
