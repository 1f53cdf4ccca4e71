import { formatInstant } from '@deploymgmt/provider/core'
import { describe, expect, it } from 'vitest'
import { fixtureWith, ORG, PASSWORD, PROJECT, failing } from '../support/installation.ts'
import { SAM } from '../support/people.ts'
import {
  apiKey,
  HOST_DOWN,
  integration,
  migration,
  NOISY,
  noisy,
  paging,
  REPORTER,
  resource,
  text,
  user,
} from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, begin, configured, windowsIn, type Workspace } from './support/workspace.ts'

const userNamed = async (here: Workspace, username: string): Promise<any> =>
  (await here.control('GET', 'dump')).users.find((each: any) => each.username === username)

const samWith = (roles: string) =>
  resource('user', 'sam', {
    user_id: text(SAM),
    roles_complete: 'true',
    roles,
    username: '"sam@example.com"',
  })

/** The event of a deletion by a person, five minutes from now. */
const deleted = (of: Readonly<Record<string, string>>) => ({
  id: '6b0000000000000000000001',
  username: 'sam@example.com',
  created: formatInstant(Date.now() + 300_000),
  ...of,
})

const ignoring = (name: string) => `lifecycle {\n  ignore_changes = [${name}]\n}\n`

describe.skipIf(noTerraform)('what no endpoint shows, changed by somebody else', () => {
  it('is planned as an update that names who did it, and asserted by the apply', async () => {
    const here = await applied(apiKey())
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { desc: 'Mine now' })
    const { changes, said } = await here.plan()
    expect(changes).toMatchObject([
      {
        actions: ['update'],
        before: { desc: null, roles: ['ORG_MEMBER'], evidence: 'suspect' },
        after: { desc: 'Reporting', roles: ['ORG_MEMBER'] },
      },
    ])
    expect(said).toMatch(
      /desc may have been changed outside of Terraform, [a-z ]*by key "oncall"; .* says: desc "Mine now" .*\(API_KEY_DESCRIPTION_CHANGED\) at \d{4}-/,
    )
    await here.expect(0, 'apply', 'saved.plan')
    expect((await here.control('GET', 'dump')).organizations[0].apiKeys[2].desc).toBe('Reporting')
    expect(await here.state('api_key.reporting')).toMatchObject({ evidence: 'recorded', desc: 'Reporting' })
    await here.expectNoChanges()
  })

  it('is planned so for users and windows too, also where a refresh has stored it', async () => {
    const here = await applied(user() + migration())
    await here.control('POST', 'clock', { advance: 'PT1M' })
    const { id } = await userNamed(here, 'dana@example.com')
    const window = await here.state('maintenance_window.migration')
    await here.outside('PATCH', `/users/${id}`, { roles: [] })
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${window.id}`, { description: 'Mine' })
    await here.apply('-refresh-only')
    expect(await here.state('user.dana')).toMatchObject({ roles: null, evidence: 'suspect' })
    expect(await here.state('maintenance_window.migration')).toMatchObject({
      evidence: 'suspect',
      ended: false,
    })
    const { changes, said } = await here.plan()
    expect(changes.map(({ actions }) => actions)).toEqual([['update'], ['update']])
    expect(said.match(/by key "oncall"/g)).toHaveLength(2)
    // The event does not tell which field was changed, so the warning does not claim that all were.
    expect(said).toContain(
      'Maintenance window: alert_type_names, start_date, end_date, description may have been changed outside of Terraform',
    )
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.expect(0, 'apply', 'saved.plan')
    await here.expectNoChanges()
    const [after] = await windowsIn(here)
    expect(after.description).toBe('Storage migration')
  })

  it.each([
    ['after a refresh has stored it', true],
    ['without a refresh', false],
  ])('is told with the value that an event has, %s', async (_, isStored) => {
    const here = await applied(user() + migration())
    const { id } = await userNamed(here, 'dana@example.com')
    const window = await here.state('maintenance_window.migration')
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${window.id}`, {
      endDate: '2035-01-06T09:00:00Z',
    })
    await here.outside('PATCH', `/users/${id}`, { roles: [{ roleName: 'ORG_OWNER', orgId: ORG }] })
    if (isStored) await here.apply('-refresh-only')
    const { said } = await here.plan()
    expect(said).toMatch(/by key "oncall"; MAINTENANCE_WINDOW_\S+ says: end_date "2035-01-06T09:00:00Z" with/)
    expect(said).toMatch(new RegExp(`; USER_\\S+ says: roles none, roles invited as ORG_OWNER ${ORG} with`))
    // An event tells all fields of a window, and the configuration may have this one as sensitive.
    expect(said).not.toMatch(/says: [^;]*Storage migration/)
  })

  it.each([
    ['after a refresh has stored it', true],
    ['without a refresh', false],
  ])('is told with an endpoint that shows it, too, %s', async (_, isStored) => {
    const here = await applied(noisy())
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${NOISY}`, { enabled: true })
    if (isStored) await here.apply('-refresh-only')
    expect((await here.plan()).said).toContain('by key "oncall"')
  })

  it('and never declared makes no change', async () => {
    const here = await applied(apiKey({ roles: 'null' }))
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles: ['ORG_READ_ONLY'] })
    const { said } = await here.expectNoChanges()
    expect(said).not.toContain('changed outside of Terraform')
  })

  it('is told until a state has it: also where nothing declares it any more', async () => {
    const here = await applied(apiKey())
    await here.configure(apiKey({ roles: 'null' }))
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles: ['ORG_READ_ONLY'] })
    const told = 'API key: roles may have been changed outside of Terraform'
    expect((await here.plan()).said).toContain(told)
    expect((await here.apply()).said).toContain(told)
    expect((await here.expectNoChanges()).said).not.toContain(told)
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles: ['ORG_OWNER'] })
    expect((await here.plan()).said).toContain(told)
  })

  it('stays as it is under ignore_changes, and the warning says so once', async () => {
    const here = await begin()
    const ignoringAll = 'lifecycle {\n  ignore_changes = all\n}\n'
    await here.change(apiKey({}, ignoringAll))
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { desc: 'Mine now' })
    await here.newWrites()
    const { said } = await here.apply()
    expect(said).toMatch(/asserts what is configured, except what ignore_changes names/)
    expect((await here.expectNoChanges()).said).not.toContain('may have been changed')
    expect(await here.newWrites()).toEqual([])
    expect(await here.state('api_key.reporting')).toMatchObject({ desc: null, evidence: 'suspect' })
    await here.change(apiKey())
    expect(await here.state('api_key.reporting')).toMatchObject({ desc: 'Reporting', evidence: 'recorded' })
  })

  it('and left to others by ignore_changes is written once that ends, also after a write of something else', async () => {
    const [key, window] = [ignoring('desc'), ignoring('description')]
    const here = await applied(apiKey({}, key) + migration({}, window))
    const { id } = await here.state('maintenance_window.migration')
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { desc: 'Theirs' })
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'Theirs' })
    await here.control('POST', 'clock', { advance: 'PT1M' })
    const roles = '["ORG_READ_ONLY"]'
    await here.change(apiKey({ roles }, key) + migration({}, window))
    const described = async () => {
      const { organizations, projects } = await here.control('GET', 'dump')
      return [organizations[0].apiKeys[2].desc, projects[0].maintenanceWindows[0].description]
    }
    expect(await described()).toEqual(['Theirs', 'Theirs'])
    await here.change(apiKey({ roles }) + migration())
    expect(await described()).toEqual(['Reporting', 'Storage migration'])
    await here.expectNoChanges()
  })

  it('is looked at by sending desc as the state has it, which Terraform cannot keep back', async () => {
    // Under this reading, no event tells that somebody else described the key.
    const here = await begin({ settings: { 'open.events': 'some' } })
    await here.change(apiKey({}, '  lifecycle {\n    ignore_changes = [desc]\n  }\n'))
    await here.control('POST', 'clock', { advance: 'PT1M' })
    const described = (await here.control('GET', 'dump')).organizations[0].apiKeys[2].desc
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { desc: 'Mine now' })
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles: ['ORG_READ_ONLY'] })
    await here.newWrites()
    await here.apply()
    expect(await here.newWrites()).toHaveLength(2)
    const [, , key] = (await here.control('GET', 'dump')).organizations[0].apiKeys
    expect(key).toMatchObject({ desc: described, roles: [{ roleName: 'ORG_MEMBER' }] })
  })

  it('cannot be noticed where events may not be read, which is said', async () => {
    const here = await applied(apiKey())
    await failing(here, 'GET', String.raw`/events\?`, { fault: 'status', status: 403, count: 9 })
    const { said } = await here.expectNoChanges()
    expect(said).toContain('its events cannot be read (403)')
  })

  it('cannot be noticed without an org_id where nothing else names one, which is said once', async () => {
    const here = await begin()
    const all = migration() + migration().replace('"migration"', '"second"') + apiKey()
    const warning = /the provider has no org_id: changes from outside cannot be noticed/g
    const bare = 'provider "deploymgmt" {}\n'
    await here.configure(apiKey(), bare)
    expect((await here.plan()).said).not.toMatch(warning)
    await here.configure(all, bare)
    expect((await here.plan()).said.match(warning)).toHaveLength(1)
    await here.apply()
    expect((await here.expectNoChanges()).said.match(warning)).toHaveLength(1)
    await here.configure(all)
    expect((await here.expectNoChanges()).said).not.toMatch(warning)
  })

  it('is not what our own writes are taken for, one after the other', async () => {
    const here = await begin()
    for (const desc of ['One', 'Two', 'Three']) {
      await here.change(apiKey({ desc: text(desc) }))
      expect((await here.expectNoChanges()).said).toContain('No changes.')
    }
  })

  it('is not what a lost answer is taken for', async () => {
    const here = await applied(apiKey())
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.control('POST', 'faults', { method: 'PATCH', path: '^/orgs', fault: 'reset-after', count: 3 })
    await here.configure(apiKey({ desc: '"Other"' }))
    await here.expect(1, 'apply', '-auto-approve')
    const { said, changes } = await here.plan()
    expect(said).not.toContain('changed outside of Terraform')
    expect(changes).toMatchObject([{ before: { desc: null, evidence: 'unknown' }, after: { desc: 'Other' } }])
  })

  it('may be gone, if an event tells: that names who deleted it, and calls no field changed', async () => {
    const id = '5d1113b25a115342acc2d0b1'
    const deletion = deleted({ eventTypeName: 'MAINTENANCE_WINDOW_DELETED_AUDIT', maintenanceWindowId: id })
    const there = { alertTypeNames: ['HOST'], startDate: '2035-01-01T00:00:00Z' }
    const maintenanceWindows = [{ id, ...there, endDate: '2035-01-02T00:00:00Z' }]
    const imported = `import {\n  to = deploymgmt_maintenance_window.migration\n  id = "${PROJECT}/${id}"\n}\n`
    const here = await applied(imported + migration(), {
      fixture: fixtureWith({ maintenanceWindows, events: [deletion] }),
    })
    await here.control('POST', 'clock', { advance: 'PT10M' })
    const { said } = await here.plan()
    expect(said).toMatch(
      /an event says that it was deleted: .*; removed outside of Terraform, by user sam@example\.com.*6b0000000000000000000001/,
    )
    expect(said).not.toContain('may have been changed')
  })
})

describe.skipIf(noTerraform)('what can be read', () => {
  it('is compared live, and a drift names who did it', async () => {
    const here = await applied(noisy())
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${NOISY}`, { enabled: true })
    const { changes, said } = await here.plan()
    expect(changes).toMatchObject([{ before: { enabled: true }, after: { enabled: false } }])
    expect(said).toMatch(/enabled changed outside of Terraform.*by key "oncall"/)
    await here.expect(0, 'apply', 'saved.plan')
    await here.expectNoChanges()
  })

  it('and is gone is a change that the apply refuses, while everything else goes on', async () => {
    const here = await applied(noisy() + paging + migration())
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [
      { id: HOST_DOWN, eventTypeName: 'HOST_DOWN' },
    ])
    await here.configure(noisy() + paging + migration({ description: '"Still applied"' }))
    const { said, changes } = await here.plan()
    expect(said).toMatch(
      /Warning: [^:]+: declared present, not found; this API has no call to create an alert configuration/,
    )
    // The read has warned of it; the plan that follows says no more.
    expect(said.match(/declared present, not found/g)).toHaveLength(1)
    expect(changes.find(({ address }) => address === 'alert_configuration.noisy')).toMatchObject({
      actions: ['update'],
      before: { present: false, enabled: false },
      after: { present: true, enabled: false },
    })
    const refused = await here.expect(1, 'apply', 'saved.plan')
    expect(refused.said).toMatch(
      /Error: declared present, not found.*\d+: alert_config_id = .*By hand: Project/,
    )
    expect((await windowsIn(here))[0].description).toBe('Still applied')
    expect(await here.state('alert_configuration.noisy')).toMatchObject({ present: false, enabled: false })
    await here.expect(2, 'plan', '-detailed-exitcode')
    await here.configure(noisy({ enabled: 'true' }) + paging)
    const failed = await here.expect(1, 'apply', '-auto-approve')
    expect(failed.said).toMatch(/By hand: Project/)
  })

  it('and was deleted by somebody names them in the warning', async () => {
    const deletion = deleted({ eventTypeName: 'ALERT_CONFIG_DELETED_AUDIT', alertConfigId: NOISY })
    const alertConfigs = [{ id: NOISY, eventTypeName: 'HOST_DOWN' }]
    const here = await applied(noisy(), { fixture: fixtureWith({ alertConfigs, events: [deletion] }) })
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [])
    await here.control('POST', 'clock', { advance: 'PT10M' })
    expect((await here.plan()).said).toMatch(
      /declared present, not found;.*; removed outside of Terraform, by user sam@example\.com.*6b0000000000000000000001/,
    )
  })

  it('and cannot be read completely makes no plan', async () => {
    const here = await applied(noisy() + paging)
    await failing(here, 'GET', '/integrations', { fault: 'malformed', count: 50 })
    const { said } = await here.expect(1, 'plan')
    expect(said).toContain('DM-MALFORMED-ANSWER')
  })

  it('has an access list whose difference is warned of, and said by hand at the apply', async () => {
    const here = await applied(apiKey({ access_list: '["192.0.2.0/24", "198.51.100.7"]' }))
    await here.configure(apiKey({ access_list: '["192.0.2.0/24"]' }))
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(/access_list also has 198\.51\.100\.7\/32; this API has no call to change it/)
    expect(said).toMatch(/\d+: access_list = /)
  })
})

describe.skipIf(noTerraform)('a role that stays after its removal', () => {
  it('is an error with the manual step, and is asked for again until it is gone', async () => {
    const sam = {
      id: SAM,
      username: 'sam@example.com',
      roles: [
        { roleName: 'ORG_MEMBER', orgId: ORG },
        { roleName: 'ORG_READ_ONLY', orgId: ORG },
      ],
    }
    const here = await begin({
      fixture: { ...fixtureWith(), users: [sam] },
      settings: { 'open.userRoles': 'merge' },
    })
    const member = '{ role_name = "ORG_MEMBER", org_id = "ORG_ID" }'
    await here.change(samWith(`[${member}, { role_name = "ORG_READ_ONLY", org_id = "ORG_ID" }]`))
    await here.configure(samWith(`[${member}]`))
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(
      /still in the answer after its removal: roles.*By hand: remove it at the service, then apply again/,
    )
    const { changes } = await here.plan()
    expect(changes[0]?.before.roles).toHaveLength(2)
    expect(changes[0]?.after.roles).toHaveLength(1)
  })
})

describe.skipIf(noTerraform)('validation', () => {
  it('says at each attribute what is wrong, with the nearest word, and sends nothing', async () => {
    const here = await configured(
      apiKey({ roles: '["ORG_REDA_ONLY"]', access_list: '["300.1.1.1"]' }) +
        user({ roles: '[{ role_name = "ORG_MEMBER" }]' }) +
        migration({ start_date: '"tomorrow"', alert_type_names: '[]' }) +
        noisy({ select: '{ event_type_name = "HOST_DOWN" }' }) +
        integration('odd', { type: '"PAGIN"' }),
    )
    const { said } = await here.expect(1, 'validate')
    expect(said).toContain('did you mean ORG_READ_ONLY?')
    expect(said).toContain('"300.1.1.1" is neither an address nor a block')
    expect(said).toContain('ORG_MEMBER needs org_id')
    expect(said).toContain('"tomorrow" is not an instant')
    expect(said).toContain('at least 1 element is needed')
    expect(said).toContain('give one of alert_config_id and select')
    expect(said).toContain('did you mean PAGING?')
    for (const name of ['roles', 'access_list', 'start_date', 'alert_type_names', 'type'])
      expect(said).toMatch(new RegExp(`\\d+: ${name} = `))
    expect((await here.requests()).log).toEqual([])
  })

  it('warns of what an open set does not list, and goes on', async () => {
    const here = await configured(migration({ alert_type_names: '["HOSTS"]' }))
    const { said } = await here.expect(0, 'validate')
    expect(said).toMatch(/"HOSTS" is not a known alert type; did you mean HOST\?/)
    expect(PASSWORD).toContain('canary')
  })
})

describe.skipIf(noTerraform)('a change back to what was last written', () => {
  const path = `/groups/${PROJECT}/alertConfigs/${NOISY}`
  const taken = { enabled: 'false' }
  const said = 'Alert configuration: enabled changed outside of Terraform, by key "oncall"'
  const restored = noisy({ ...taken, on_remove: '"restore"' })

  /** The configuration takes on what somebody else wrote, so that it was not written by us; `more` is applied then. */
  const takenOn = async (...more: string[]): Promise<Workspace> => {
    const here = await applied(noisy({ enabled: 'true' }))
    await here.outside('PATCH', path, { enabled: false })
    for (const hcl of [noisy(taken), ...more]) await here.change(hcl)
    return here
  }

  it.each([
    ['at once', [], []],
    ['after another change', [restored], []],
    ['after a refresh has stored it', [], ['-refresh-only']],
    ['after another change and a refresh', [restored], ['-refresh-only']],
  ])('names who made it, %s', async (_, more, words) => {
    const here = await takenOn(...more)
    await here.outside('PATCH', path, { enabled: true })
    if (words.length > 0) await here.apply(...words)
    for (const refresh of words.length > 0 ? [[], ['-refresh=false']] : [[]]) {
      const planned = await here.plan(...refresh)
      expect(planned.changes).toMatchObject([
        { actions: ['update'], before: { enabled: true }, after: { enabled: false } },
      ])
      expect(planned.said).toContain(said)
    }
    // Who edits the configuration afterwards changes nothing outside.
    await here.apply()
    await here.configure(noisy({ enabled: 'true' }))
    expect((await here.plan()).said).not.toContain(said)
  })

  it('is not overwritten by an apply that plans something else without a refresh', async () => {
    const here = await takenOn()
    await here.outside('PATCH', path, { enabled: true })
    await here.newWrites()
    await here.configure(restored)
    await here.plan('-refresh=false')
    expect((await here.expect(1, 'apply', 'saved.plan')).said).toContain('DM-PLAN-STALE')
    expect(await here.newWrites()).toEqual([])
    await here.apply()
    expect(await here.newWrites()).toHaveLength(1)
  })
})

describe.skipIf(noTerraform)('a restore', () => {
  it('leaves what ignore_changes has kept, also after a change of something else', async () => {
    const here = await applied(noisy({ enabled: 'true' }, ignoring('enabled')))
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${NOISY}`, { enabled: false })
    await here.change(noisy({ enabled: 'true', on_remove: '"restore"' }, ignoring('enabled')))
    await here.newWrites()
    await here.change('')
    expect(await here.newWrites()).toEqual([])
  })
})
