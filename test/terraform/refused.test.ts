/**
 * If the service differs from the configuration, or lacks something, the error is at the attribute that it is about.
 */
import { describe, expect, it } from 'vitest'
import { failing, fixtureWith, ORG, PASSWORD, PROJECT } from '../support/installation.ts'
import { SAM } from '../support/people.ts'
import {
  apiKey,
  HOST_DOWN,
  hostDown,
  migration,
  noisy,
  REPORTER,
  resource,
  text,
  user,
} from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, begin, configured, windowsIn } from './support/workspace.ts'

const GONE = '5c8100bcf2a30b12ff880000'
const withSam = () => ({
  ...fixtureWith(),
  users: [
    {
      id: SAM,
      username: 'sam@example.com',
      firstName: 'Sam',
      roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }],
    },
  ],
})
const sam = (more: Record<string, string> = {}) =>
  resource('user', 'sam', {
    roles_complete: 'true',
    roles: '[{ role_name = "ORG_READ_ONLY", org_id = "ORG_ID" }]',
    ...more,
  })

const later = (name: string) =>
  `resource "terraform_data" "name" {\n  input = "${name}"\n}\n` +
  user({ first_name: 'terraform_data.name.output' })

describe.skipIf(noTerraform)('a value that only a creation takes', () => {
  it('is recorded as it is and not as an import declares it, so that the right one passes', async () => {
    const here = await configured(sam({ first_name: '"Wrong"' }), { fixture: withSam() })
    await here.expect(0, 'import', 'deploymgmt_user.sam', SAM)
    const refused = await here.expect(1, 'apply', '-auto-approve')
    expect(refused.said).toMatch(
      /first_name differs, and this API has no call to change it: the service has Sam /,
    )
    expect(refused.said).toMatch(/\d+: first_name = "Wrong"/)
    expect(await here.state('user.sam')).toMatchObject({ first_name: 'Sam' })
    const again = await here.expect(1, 'plan')
    expect(again.said).toMatch(/\d+: first_name = "Wrong"/)
    await here.change(sam({ first_name: '"Sam"' }))
    await here.expectNoChanges()
  })

  it('is an error of its own at each attribute where several differ', async () => {
    const wrong = sam({ user_id: text(SAM), first_name: '"Wrong"', username: '"wrong@example.com"' })
    const here = await configured(wrong, { fixture: withSam() })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    for (const [name, has] of Object.entries({ first_name: 'Sam', username: 'sam@example.com' }))
      expect(
        said.split(`User: ${name} differs, and this API has no call to change it: the service has ${has} `),
      ).toHaveLength(2)
  })

  it('is an error at its attribute where an adoption declares another one', async () => {
    const here = await configured(sam({ user_id: text(SAM), first_name: '"Wrong"' }), { fixture: withSam() })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(/\d+: first_name = "Wrong"/)
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.change(sam({ user_id: text(SAM), first_name: '"Sam"' }))
    await here.expectNoChanges()
  })

  it('makes no error of what is only told beside it', async () => {
    const here = await begin({ fixture: withSam() })
    const invited =
      '[{ role_name = "ORG_READ_ONLY", org_id = "ORG_ID" }, { role_name = "GROUP_READ_ONLY", project_id = "PROJECT_ID" }]'
    await here.configure(sam({ first_name: '"Wrong"', roles: invited }))
    await here.expect(0, 'import', 'deploymgmt_user.sam', SAM)
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(/Warning: User: \d of its roles invited/)
    expect(said).not.toMatch(/Error: User: \d of its roles invited/)
    expect(said).toContain(`User ${SAM}.`)
  })

  it('is decided at the apply where the plan does not know it', async () => {
    const here = await applied(user())
    await here.change(later('Dana'))
    await here.expectNoChanges()
    await here.configure(later('Other'))
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('first_name can only be given at creation')
    // No endpoint shows what a person has changed, so the state would keep the old value forever.
    expect(said).toMatch(/change it by hand at the service, .*terraform state rm.*import it/)
  })
})

describe.skipIf(noTerraform)('what is not there', () => {
  it.each([
    ['project of an alert configuration', noisy({ project_id: text(GONE) }), 'project_id'],
    ['project of a window', migration({ project_id: text(GONE) }), 'project_id'],
  ])('is said of the %s at its attribute, when it is planned', async (_, hcl, attribute) => {
    const here = await configured(hcl)
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(/was not found at the service/)
    expect(said).toMatch(new RegExp(`\\d+: ${attribute} = `))
  })

  it.each([
    [
      'an API key',
      apiKey({ api_key_id: text(GONE) }),
      'api_key_id',
      /By hand: Organization \w+ → Access Manager → API Keys/,
    ],
    [
      'a user',
      sam({ user_id: text(GONE) }),
      'user_id',
      /Check its id\. If it was imported and no longer exists, remove it from the state with terraform state rm/,
    ],
  ])('is said of %s at the attribute that names it, when it is applied', async (_, hcl, attribute, step) => {
    const here = await configured(hcl)
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('not found at the service')
    expect(said).toMatch(new RegExp(`\\d+: ${attribute} = `))
    expect(said).toMatch(step)
  })

  it('is said at the attribute that has the id where the address has none', async () => {
    const here = await configured(user({ roles: `[{ role_name = "ORG_MEMBER", org_id = ${text(GONE)} }]` }))
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(/DM-NOT-FOUND: .*POST http.*\/users → 404 Check the ids in roles\./)
    expect(said).toMatch(/\d+: roles +=/)
  })

  it('is what a change names and not what it changes, if the service says so', async () => {
    const here = await applied(user())
    await here.configure(user({ roles: `[{ role_name = "ORG_MEMBER", org_id = ${text(GONE)} }]` }))
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(/DM-NOT-FOUND: .*PATCH http.* → 404 Check the ids in roles\./)
    expect(said).not.toContain('User: not found')
    await here.change(user())
    await here.expectNoChanges()
  })

  it('is not asked to be forgotten by the apply that destroys it', async () => {
    const here = await configured(migration())
    await here.expect(0, 'import', 'deploymgmt_maintenance_window.migration', `${PROJECT}/${GONE}`)
    const again = 'If it is gone, a destroy or terraform state rm takes it out of the state.'
    expect((await here.expect(1, 'apply', '-auto-approve')).said).toContain(again)
    const { said } = await here.change('')
    expect(said).toContain(again)
    expect(said).toContain('1 destroyed')
  })

  it('is said of a data source at the attribute that names it', async () => {
    const here = await configured(
      `data "deploymgmt_alert_configuration" "one" {\n  project_id = "PROJECT_ID"\n  alert_config_id = "${GONE}"\n}\n`,
    )
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(/\d+: alert_config_id = /)
  })

  it('is present = false after the apply already, where that is allowed', async () => {
    const here = await applied(noisy({ alert_config_id: text(GONE), allow_empty: 'true' }))
    expect(await here.state('alert_configuration.noisy')).toMatchObject({ present: false, evidence: 'read' })
    await here.expectNoChanges()
  })
})

describe.skipIf(noTerraform)('what the service finds wrong', () => {
  it.each([
    [
      'start_date',
      migration({ start_date: '"2035-01-06T02:00:00.5Z"' }),
      'open.fractionalTimestamps',
      'reject',
    ],
    ['password', user(), 'open.passwordRule', 'strong'],
  ])('of %s is said at that attribute', async (attribute, hcl, setting, value) => {
    const weak = hcl.replace(PASSWORD, 'short')
    const here = await configured(weak, { settings: { [setting]: value } })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('DM-INVALID-REQUEST')
    expect(said).toMatch(new RegExp(`\\d+: ${attribute} += `))
  })
})

const provider = (line: string) => `provider "deploymgmt" {\n  ${line}\n}\n`

describe.skipIf(noTerraform)('the provider’s own settings', () => {
  it.each([
    ['base_url', 'base_url = "http://db.example.com/api/public/v1.0"'],
    ['base_url', 'base_url = "nonsense"'],
    ['ca_file', 'ca_file = "/nowhere/ca.pem"'],
    ['request_timeout_seconds', 'request_timeout_seconds = 0'],
    ['request_timeout_seconds', 'request_timeout_seconds = 1.5'],
    ['retry_timeout_seconds', 'retry_timeout_seconds = -1'],
    ['retry_timeout_seconds', 'retry_timeout_seconds = 1000000'],
  ])('are wrong at %s where they were given there', async (attribute, line) => {
    const here = await begin()
    await here.configure(noisy(), provider(line))
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(new RegExp(`\\d+: ${attribute} = `))
  })
})

describe.skipIf(noTerraform)('an ended window', () => {
  it('whose description was changed is not said to be recorded with it', async () => {
    const here = await applied(migration())
    await here.control('POST', 'clock', { now: '2036-01-01T00:00:00Z' })
    await here.apply('-refresh-only')
    await here.change(migration({ description: '"Too late"' }))
    expect(await here.state('maintenance_window.migration')).toMatchObject({ evidence: 'unknown' })
    await here.expectNoChanges()
    await here.apply('-refresh-only')
    expect(await here.state('maintenance_window.migration')).toMatchObject({ evidence: 'unknown' })
  })
})

describe.skipIf(noTerraform)('an attribute that is taken out', () => {
  it.each([
    ['description', migration(), migration({ description: 'null' })],
    ['desc', apiKey(), apiKey({ desc: 'null' })],
    ['roles', apiKey(), apiKey({ roles: 'null' })],
  ])('is no change: nothing is sent, and the service keeps its %s', async (name, before, after) => {
    const here = await applied(before)
    const [address] = (await here.expect(0, 'state', 'list')).stdout
      .trim()
      .replace('deploymgmt_', '')
      .split('\n')
    const had = await here.state(address ?? '')
    await here.configure(after)
    expect((await here.expectNoChanges()).said).toContain('No changes.')
    await here.apply()
    expect(await here.newWrites()).toEqual([])
    expect((await here.state(address ?? ''))[name]).toEqual(had[name])
  })

  it('is not taken over by a window that is made in place of one that has ended', async () => {
    const here = await applied(migration())
    await here.control('POST', 'clock', { now: '2036-01-01T00:00:00Z' })
    const dates = { start_date: '"2037-01-06T02:00:00Z"', end_date: '"2037-01-06T04:00:00Z"' }
    await here.change(migration({ ...dates, description: 'null' }))
    const windows = await windowsIn(here)
    expect(windows).toHaveLength(2)
    expect(windows.find(({ endDate }) => endDate.startsWith('2037'))).not.toHaveProperty('description')
    await here.expectNoChanges()
  })

  it('is not sent with what is changed, and is asserted where it comes back and somebody changed it', async () => {
    const roles = { roles: '["ORG_READ_ONLY"]' }
    const here = await applied(apiKey())
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.change(apiKey({ ...roles, desc: 'null' }))
    expect(await here.newWrites()).toHaveLength(1)
    expect(await here.state('api_key.reporting')).toMatchObject({ desc: 'Reporting', evidence: 'recorded' })
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { desc: 'Mine now' })
    await here.expect(0, 'plan')
    await here.configure(apiKey(roles))
    const { changes } = await here.plan()
    expect(changes).toMatchObject([{ before: { desc: null }, after: { desc: 'Reporting' } }])
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.expect(0, 'apply', 'saved.plan')
    expect((await here.control('GET', 'dump')).organizations[0].apiKeys[2].desc).toBe('Reporting')
    await here.expectNoChanges()
  })
})

describe.skipIf(noTerraform)('what vanishes between a list and its write', () => {
  it('is named, though its resource stands for several', async () => {
    const here = await configured(hostDown())
    await failing(here, 'PATCH', '/alertConfigs/', { fault: 'status', status: 404, count: 9 })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(new RegExp(`not found at the service.*Alert configuration ${HOST_DOWN}\\.`))
    expect(said).not.toContain('alert_config_id first')
  })
})
