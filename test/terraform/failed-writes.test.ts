/**
 * Writes that fail or lose their answer: they are sent again, or the apply fails and the state contains what is live.
 */
import { describe, expect, it } from 'vitest'
import { CI, failing, fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import { SAM } from '../support/people.ts'
import { pass } from '../support/proxy.ts'
import {
  apiKey,
  HOST_DOWN,
  hostDown,
  integration,
  migration,
  NOISY,
  noisy,
  oldChat,
  REPORTER,
  resource,
  text,
} from './support/hcl.ts'
import { betweenThem } from './support/proxied.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, configured, windowsIn, type Workspace } from './support/workspace.ts'

const SECOND = '5d1113b25a115342acc2d0f4'
const restoring = { on_remove: '"restore"' }
const twoDown = () =>
  fixtureWith({
    alertConfigs: [
      ...[HOST_DOWN, SECOND].map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: false })),
      { id: NOISY, eventTypeName: 'REPLICA_SET', enabled: true },
    ],
  })
const alertIn = async (here: Workspace, id: string): Promise<any> =>
  (await here.control('GET', 'dump')).projects[0].alertConfigs.find((each: any) => each.id === id)
const ofNoisy = `PATCH /groups/${PROJECT}/alertConfigs/${NOISY}`
const sam = () =>
  resource('user', 'sam', {
    user_id: text(SAM),
    roles_complete: 'true',
    roles: '[{ role_name = "ORG_READ_ONLY", org_id = "ORG_ID" }]',
    on_remove: '"revoke"',
  })
const withSam = () => ({
  ...twoDown(),
  users: [{ id: SAM, username: 'sam@example.com', roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }] }],
})
const WINDOWS = `/groups/${PROJECT}/maintenanceWindows/`
const ANOTHER = {
  alertTypeNames: ['AGENT'],
  startDate: '2035-03-01T00:00:00Z',
  endDate: '2035-03-01T01:00:00Z',
  description: 'Another',
}
const FAILS = { fault: 'status', status: 503 }

describe.skipIf(noTerraform)('a write whose answer is lost', () => {
  it('is sent again where a reading shows that it had no effect', async () => {
    const here = await configured(noisy(restoring))
    await failing(here, 'PATCH', NOISY, { ...FAILS, count: 2 })
    expect((await here.apply()).said).not.toContain('Warning')
    expect(await here.newWrites()).toEqual([ofNoisy, ofNoisy, ofNoisy])
    expect(await here.state('alert_configuration.noisy')).toMatchObject({ enabled: false, evidence: 'read' })
    await here.expectNoChanges()
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: true })
  })

  it('is sent again by a key that may not read events: the reading has to do', async () => {
    const here = await configured(noisy(restoring))
    await failing(here, 'GET', '/events', { fault: 'status', status: 403, count: 20 })
    await failing(here, 'PATCH', NOISY, { ...FAILS, count: 1 })
    await here.apply()
    expect(await here.newWrites()).toEqual([ofNoisy, ofNoisy])
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: false })
  })

  it('is not sent again where a reading shows that it had its effect', async () => {
    const here = await configured(noisy(restoring))
    await failing(here, 'PATCH', NOISY, { fault: 'reset-after', count: 1 })
    await here.apply()
    expect(await here.newWrites()).toEqual([ofNoisy])
    await here.expectNoChanges()
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: true })
  })

  it.each<[string, string, [string, string]]>([
    ['of an API key', apiKey(), ['PATCH', '^/orgs']],
    ['of an adopted user', sam(), ['PATCH', '^/users']],
    ['of an integration that must not be there', oldChat, ['DELETE', 'CHAT_A']],
    ['of one of two that a selector means', hostDown(restoring), ['PATCH', SECOND]],
  ])('is settled within the apply: %s', async (_, hcl, [method, path]) => {
    for (const fault of ['reset-before', 'reset-after']) {
      const here = await configured(hcl, { fixture: withSam() })
      await failing(here, method, path, { fault, count: 1 })
      expect((await here.apply()).said).not.toContain('unknown')
      await here.expectNoChanges()
    }
  })

  it('of both that a selector means are sent again where they had no effect', async () => {
    const here = await configured(hostDown(restoring), { fixture: twoDown() })
    await failing(here, 'PATCH', 'alertConfigs', { ...FAILS, count: 2 })
    await here.apply()
    const both = [HOST_DOWN, SECOND].map((id) => `PATCH /groups/${PROJECT}/alertConfigs/${id}`)
    expect((await here.newWrites()).toSorted()).toEqual([...both, ...both].toSorted())
    for (const id of [HOST_DOWN, SECOND]) expect(await alertIn(here, id)).toMatchObject({ enabled: true })
    await here.expectNoChanges()
  })

  it.each<[string, string, (dump: any) => unknown, unknown, unknown]>([
    [
      'the end of a window',
      migration(),
      ({ projects }) => projects[0].maintenanceWindows[0].endDate > '2035',
      true,
      false,
    ],
    [
      'what takes the roles of a user',
      sam(),
      ({ users }) => users[0].roles.length + users[0].invitations.length,
      1,
      0,
    ],
    [
      'what puts an alert configuration back',
      noisy(restoring),
      ({ projects }) => projects[0].alertConfigs[2].enabled,
      false,
      true,
    ],
  ])('is settled within the destroy: %s', async (_, hcl, look, before, after) => {
    for (const fault of ['reset-before', 'reset-after']) {
      const here = await applied(hcl, { fixture: withSam() })
      expect(look(await here.control('GET', 'dump'))).toBe(before)
      await here.control('POST', 'clock', { advance: 'PT1M' })
      await failing(here, 'PATCH', '.', { fault, count: 1 })
      await here.expect(0, 'destroy', '-auto-approve')
      expect(look(await here.control('GET', 'dump'))).toBe(after)
    }
  })

  it('of a creation is settled by what events name, which is asked', async () => {
    const here = await configured(migration())
    await failing(here, 'POST', '/maintenanceWindows', { fault: 'reset-after', count: 1 })
    await here.apply()
    const [made, ...others] = await windowsIn(here)
    expect(others).toEqual([])
    expect(await here.state('maintenance_window.migration')).toMatchObject({ id: made.id })
    expect(await here.newWrites()).toEqual([
      `POST /groups/${PROJECT}/maintenanceWindows/`,
      `PATCH /groups/${PROJECT}/maintenanceWindows/${made.id}`,
    ])
    await here.expectNoChanges()
  })

  it('of several creations is settled for each, and nothing is made twice', async () => {
    const windows = ['one', 'two', 'three'].map((name) =>
      migration({ description: `"${name}"` }).replace('"migration"', `"${name}"`),
    )
    const here = await configured(windows.join('\n'))
    await failing(here, 'POST', '/maintenanceWindows', { fault: 'reset-after', count: 3 })
    await here.apply()
    const made = await windowsIn(here)
    expect(new Set(made.map(({ description }: any) => description))).toEqual(new Set(['one', 'two', 'three']))
    expect(made).toHaveLength(3)
    for (const name of ['one', 'two', 'three']) {
      const { id } = await here.state(`maintenance_window.${name}`)
      expect(made.find((each: any) => each.id === id)).toMatchObject({ description: name })
    }
    await here.expectNoChanges()
  })

  it('of a creation that had no effect fails the apply, and the next one makes it', async () => {
    const here = await configured(migration())
    await failing(here, 'POST', '/maintenanceWindows', { fault: 'reset-before', count: 1 })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(/may have been created/)
    await here.apply()
    expect(await windowsIn(here)).toHaveLength(1)
    await here.expectNoChanges()
  })

  it.each<[string, (event: any) => unknown, RegExp]>([
    ['tells to be another one', (event) => event, /their events show other values/],
    [
      'does not tell apart, and whose answer does',
      (event) => ({ ...event, raw: undefined }),
      /does not answer as the one/,
    ],
  ])('of a creation names what an event of the key %s, and leaves no state', async (_, seen, why) => {
    const here = await configured(migration())
    const proxy = await betweenThem(here)
    let other = ''
    proxy.steer(async ({ method, path }, forward) => {
      if (method === 'POST') {
        other = (await here.outside('POST', WINDOWS, ANOTHER, CI)).id
        return 'reset'
      }
      const passed = await forward()
      if (!path.includes('/events') || passed.status !== 200) return passed
      const { results, ...list } = JSON.parse(passed.body.toString())
      return { ...passed, body: JSON.stringify({ ...list, results: results.map(seen) }) }
    })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('may have been created')
    expect(said).toContain(other)
    expect(said).toMatch(why)
    expect((await here.expect(0, 'state', 'list')).stdout).toBe('')
  })

  it('is not sent again where somebody else has changed the thing since', async () => {
    const here = await applied(noisy(restoring))
    await here.configure(noisy({ ...restoring, enabled: 'true' }))
    const proxy = await betweenThem(here)
    proxy.steer(async ({ write, method }, forward) => {
      const passed = await forward()
      if (method !== 'PATCH' || write !== 1) return passed
      await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${NOISY}`, { enabled: false })
      return 'reset'
    })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(/changed.*key "oncall"/)
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: false })
  })
})

describe.skipIf(noTerraform)('a write that goes on failing', () => {
  it('fails the apply; what was not adopted is in no state, and is adopted by the next one', async () => {
    const here = await configured(noisy(restoring))
    await failing(here, 'PATCH', NOISY, { ...FAILS, count: 99 })
    expect((await here.expect(1, 'apply', '-auto-approve')).said).toMatch(/DM-SERVICE-FAILURE/)
    expect(await here.state('alert_configuration.noisy')).toBeUndefined()
    await here.control('DELETE', 'faults')
    await here.apply()
    await here.expectNoChanges()
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: true })
  })

  it('fails the apply of many, none of which stays unset behind a success', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `5d1113b25a115342acc2e0${10 + n}`)
    const alertConfigs = ids.map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: false }))
    const each = `  for_each = toset(${JSON.stringify(ids)})\n`
    const all = noisy({ ...restoring, alert_config_id: 'each.key', enabled: 'true' }, each)
    const here = await configured(all, { fixture: fixtureWith({ alertConfigs }) })
    await failing(here, 'PATCH', 'alertConfigs', { ...FAILS, probability: 0.3, seed: 7 })
    const { code, said } = await here.terraform('apply', '-auto-approve')
    const { projects } = await here.control('GET', 'dump')
    const unset = projects[0].alertConfigs.filter(({ enabled }: any) => enabled !== true)
    expect({ code, unset: unset.length > 0 }).toEqual({ code: code === 0 ? 0 : 1, unset: code !== 0 })
    expect(said).not.toContain('Warning')
    await here.control('DELETE', 'faults')
    await here.apply()
    await here.expectNoChanges()
  })

  it.each<[string, string, string]>([
    ['a window', migration(), migration({ description: '"two"' })],
    ['an API key', apiKey(), apiKey({ desc: '"two"' })],
  ])('may have been carried out where no endpoint shows it: %s', async (_, first, second) => {
    const here = await applied(first)
    await here.configure(second)
    await failing(here, 'PATCH', '.', { fault: 'reset-after', count: 99 })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('It was sent 3 times and may have been carried out, which no endpoint shows.')
    expect(said).not.toContain('still to be done')
    await here.control('DELETE', 'faults')
    await here.apply()
    await here.expectNoChanges()
  })

  it('says in the state what is live, where something was recorded before', async () => {
    const here = await applied(noisy())
    await here.configure(noisy({ enabled: 'true' }))
    await failing(here, 'PATCH', NOISY, { ...FAILS, count: 99 })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('what was read afterwards shows that it still has to be done')
    expect(await here.state('alert_configuration.noisy')).toMatchObject({ enabled: false, evidence: 'read' })
    await here.control('DELETE', 'faults')
    await here.apply()
    await here.expectNoChanges()
  })

  it.each([
    ['refused', { ...FAILS, status: 403 }],
    ['failed', FAILS],
  ])('says in the state what somebody else has changed, where putting it back was %s', async (_, fault) => {
    const here = await applied(noisy())
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [
      { id: NOISY, eventTypeName: 'REPLICA_SET', enabled: true },
    ])
    await failing(here, 'PATCH', NOISY, { ...fault, count: 99 })
    await here.expect(1, 'apply', '-auto-approve')
    expect(await here.state('alert_configuration.noisy')).toMatchObject({ enabled: true, evidence: 'read' })
    await here.control('DELETE', 'faults')
    await here.apply('-refresh=false')
    await here.expectNoChanges()
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: false })
  })

  it('says in the state what somebody else has changed of what a selector means', async () => {
    const here = await applied(hostDown(), { fixture: twoDown() })
    const theirs = [HOST_DOWN, SECOND].map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: false }))
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, theirs)
    await failing(here, 'PATCH', SECOND, { ...FAILS, status: 403, count: 1 })
    await here.expect(1, 'apply', '-auto-approve')
    expect(await here.state('alert_configuration.host_down')).toMatchObject({
      configurations: { [HOST_DOWN]: true, [SECOND]: false },
    })
    await here.apply('-refresh=false')
    await here.expectNoChanges()
    expect(await alertIn(here, SECOND)).toMatchObject({ enabled: true })
  })

  it.each([
    ['refused', { ...FAILS, status: 403 }],
    ['failed', FAILS],
  ])('remembers the first of two where the second was %s', async (_, fault) => {
    const here = await configured(hostDown(restoring), { fixture: twoDown() })
    await failing(here, 'PATCH', SECOND, { ...fault, count: 99 })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(/DM-FORBIDDEN|DM-SERVICE-FAILURE/)
    expect(said).toContain('terraform untaint')
    await here.control('DELETE', 'faults')
    await here.expect(0, 'untaint', 'deploymgmt_alert_configuration.host_down')
    const { changes } = await here.plan()
    expect(changes).toMatchObject([
      { actions: ['update'], after: { configurations: { [HOST_DOWN]: true, [SECOND]: true } } },
    ])
    await here.apply()
    await here.expectNoChanges()
    await here.expect(0, 'destroy', '-auto-approve')
    for (const id of [HOST_DOWN, SECOND]) expect(await alertIn(here, id)).toMatchObject({ enabled: false })
  })

  it('leaves without a value what was to be sent second and was not, also where it had been written before', async () => {
    const here = await applied(apiKey())
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles: ['ORG_READ_ONLY'] })
    const proxy = await betweenThem(here)
    proxy.steer(async ({ write }, forward) => {
      const passed = await forward()
      if (write === 0) return passed
      // Then the roles that the key has are not known.
      const { roles: _, ...others } = JSON.parse(passed.body.toString())
      return { ...passed, body: JSON.stringify(others) }
    })
    expect((await here.expect(1, 'apply', '-auto-approve')).said).toContain('its roles were never seen')
    expect(await here.state('api_key.reporting')).toMatchObject({ desc: 'Reporting', roles: null })
    proxy.steer(pass)
    const { changes } = await here.plan('-refresh=false')
    expect(changes).toMatchObject([{ before: { roles: null }, after: { roles: ['ORG_MEMBER'] } }])
    await here.apply()
    expect((await here.control('GET', 'dump')).organizations[0].apiKeys[2].roles).toMatchObject([
      { roleName: 'ORG_MEMBER' },
    ])
  })

  it('leaves what somebody else has changed, where putting it back failed and it is restored', async () => {
    const here = await applied(noisy({ enabled: 'true', ...restoring }))
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${NOISY}`, { enabled: false })
    await failing(here, 'PATCH', NOISY, { ...FAILS, count: 99 })
    await here.expect(1, 'apply', '-auto-approve')
    await here.control('DELETE', 'faults')
    await here.newWrites()
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await here.newWrites()).toEqual([])
  })

  it('keeps in the state what a list does not allow and could not be deleted', async () => {
    const here = await applied(integration('only', { only: '["PAGING"]', allow: '["delete"]' }))
    await here.control('PUT', `projects/${PROJECT}/integrations`, [{ type: 'CHAT_A', apiToken: 'canary' }])
    await failing(here, 'DELETE', 'CHAT_A', { ...FAILS, status: 403, count: 1 })
    expect((await here.expect(1, 'apply', '-auto-approve')).said).toContain('DM-FORBIDDEN')
    expect(await here.state('integration.only')).toMatchObject({ forbidden: { CHAT_A: 'present' } })
    await here.apply()
    await here.expectNoChanges()
  })

  it('remembers what was there before where nothing can be read any more', async () => {
    const here = await configured(noisy(restoring))
    const proxy = await betweenThem(here)
    let isDark = false
    proxy.steer(async ({ method }, forward) => {
      const passed = await forward()
      isDark ||= method === 'PATCH' && passed.status < 300
      return isDark ? { ...passed, status: method === 'GET' ? 403 : 503, body: '{}' } : passed
    })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('terraform untaint')
    proxy.steer(pass)
    await here.expect(0, 'untaint', 'deploymgmt_alert_configuration.noisy')
    await here.apply()
    await here.expectNoChanges()
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: true })
  })

  it('is an error where nothing was written, and nothing is in the state', async () => {
    const here = await configured(noisy())
    await failing(here, 'PATCH', NOISY, { ...FAILS, status: 403, count: 1 })
    expect((await here.expect(1, 'apply', '-auto-approve')).said).toContain('DM-FORBIDDEN')
    expect(await here.state('alert_configuration.noisy')).toBeUndefined()
  })

  it('is an error where one of several was as declared and none was written, and nothing is in the state', async () => {
    const alertConfigs = [HOST_DOWN, SECOND].map((id) => ({
      id,
      eventTypeName: 'HOST_DOWN',
      enabled: id === SECOND,
    }))
    const here = await configured(hostDown(restoring), { fixture: fixtureWith({ alertConfigs }) })
    await failing(here, 'PATCH', HOST_DOWN, { ...FAILS, status: 403, count: 1 })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('DM-FORBIDDEN')
    expect(said).not.toContain('tainted')
    expect(await here.state('alert_configuration.host_down')).toBeUndefined()
    await here.apply()
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await alertIn(here, HOST_DOWN)).toMatchObject({ enabled: false })
  })
})
