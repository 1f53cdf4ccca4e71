/** A problem that stops every resource alike is explained once. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { CI, failing, fixtureWith, ONCALL, ORG, PROJECT, type Key } from '../support/installation.ts'
import { startProxy, type Fate } from '../support/proxy.ts'
import { HOST_DOWN, hostDown, migration, NOISY, noisy, resource, user } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, begin, windowsIn } from './support/workspace.ts'

const fifty = resource('alert_configuration', 'all', {
  count: '50',
  project_id: '"PROJECT_ID"',
  alert_config_id: 'format("5d1113b25a115342%08x", count.index)',
  enabled: 'true',
})
const provider = (line: string) => `provider "deploymgmt" {\n  ${line}\n}\n`
const times = (text: string, what: RegExp): number => [...text.matchAll(what)].length

const page = (status: number, headers = {}): Fate => ({
  status,
  headers: { 'content-type': 'text/html', ...headers },
  body: '<html>Welcome</html>',
})

describe.skipIf(noTerraform)('a plan of fifty resources', () => {
  it('says once that the credentials are wrong', async () => {
    const here = await begin({ env: { DEPLOYMGMT_PRIVATE_KEY: 'wrong' } })
    await here.configure(fifty)
    const { stderr, said } = await here.expect(1, 'plan')
    expect(times(said, /the service refused the credentials|the service has refused the credentials/g)).toBe(
      1,
    )
    expect(times(said, /Check public_key/g)).toBe(1)
    expect(times(stderr, /Error:/g)).toBe(1)
    // A challenge, and a refusal of the answer to it.
    expect((await here.requests()).log).toHaveLength(2)
  })

  it.each([
    ['is refused', 403, 'DM-FORBIDDEN'],
    ['fails', 500, 'DM-SERVICE-FAILURE'],
  ])('says once that the list they share %s', async (_, status, code) => {
    const here = await begin()
    await failing(here, 'GET', '/alertConfigs', { fault: 'status', status, count: 9999 })
    await here.configure(fifty, provider('retry_timeout_seconds = 0'))
    const { said } = await here.expect(1, 'plan')
    expect(times(said, /→ \d+ /g)).toBe(1)
    expect(times(said, new RegExp(`Error: ${code}`, 'g'))).toBe(1)
    expect(times(said, /Error:/g)).toBe(1)
  })

  it('says once that a project does not exist, whatever is declared for it', async () => {
    const here = await begin()
    const gone = 'locals {\n  gone = "5c8100bcf2a30b12ff882500"\n}\n'
    const there = { project_id: 'local.gone', count: '3' }
    await here.configure(gone + noisy(there) + hostDown(there) + migration(there))
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(
      /was not found at the service: 5c8100bcf2a30b12ff882500 .*: project_id = local\.gone/,
    )
    expect(times(said, /Error:/g)).toBe(1)
  })

  it('says once that nothing is there, at the address', async () => {
    const here = await begin()
    const proxy = await startProxy(here.baseUrl)
    await proxy.close()
    await here.configure(fifty, provider(`base_url = "${proxy.baseUrl}"`))
    const { said } = await here.expect(1, 'plan')
    expect(times(said, /Error:/g)).toBe(1)
    expect(said).toMatch(/DM-UNREACHABLE: no connection to .*\d+: base_url = /)
  })

  it.each([
    ['a page', page(200), 'DM-MALFORMED-ANSWER'],
    ['that nothing is known of it', page(404), 'DM-AUTH-UNSUPPORTED'],
    [
      'with another kind of login',
      page(401, { 'www-authenticate': 'Basic realm="x"' }),
      'DM-AUTH-UNSUPPORTED',
    ],
    ['with a redirect', page(302, { location: 'https://login.example.com/' }), 'DM-REDIRECT'],
  ])('says once that it is not the service that answers %s', async (_, answer, code) => {
    const here = await begin()
    const proxy = await startProxy(here.baseUrl)
    onTestFinished(() => proxy.close())
    proxy.steer(() => Promise.resolve(answer))
    await here.configure(fifty, provider(`base_url = "${proxy.baseUrl}"`))
    const { said } = await here.expect(1, 'plan')
    expect(times(said, /Error:/g)).toBe(1)
    expect(said).toContain(`Error: ${code}`)
  })

  it.each([
    [404, 'DM-MALFORMED-ANSWER: it is not the service that has answered'],
    [403, 'DM-FORBIDDEN: a proxy in between may have refused this'],
  ])('says who may have answered %i for its list, though the login has succeeded', async (status, told) => {
    const here = await begin()
    const proxy = await startProxy(here.baseUrl)
    onTestFinished(() => proxy.close())
    proxy.steer(async ({ authorized }, forward) => (authorized ? page(status) : forward()))
    await here.configure(fifty, provider(`base_url = "${proxy.baseUrl}"`))
    const { said } = await here.expect(1, 'plan')
    expect(said).toContain(`Error: ${told}`)
  })
})

describe.skipIf(noTerraform)('many resources in the state', () => {
  const three = noisy({ for_each: 'toset(["a", "b", "c"])' })

  it.each([
    [
      'the provider depends on what is not applied yet',
      `org_id = terraform_data.org.output`,
      /org_id is not known yet/,
    ],
    ['the credentials are wrong', `private_key = "wrong"`, /DM-AUTH-REJECTED/],
  ])('have one error where %s', async (_, line, error) => {
    const org = `resource "terraform_data" "org" {\n  input = "${ORG}"\n}\n`
    const here = await applied(three)
    await here.configure(three + org, provider(line))
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(error)
    expect(times(said, /Error:/g)).toBe(1)
  })

  it('have one warning that no apply can bring back what is gone', async () => {
    const ids = ['0', '1', '2'].map((last) => `5d1113b25a115342acc2d0a${last}`)
    const alertConfigs = ids.map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: false }))
    const each = { for_each: `toset(${JSON.stringify(ids)})`, alert_config_id: 'each.key' }
    const here = await applied(noisy(each), { fixture: fixtureWith({ alertConfigs }) })
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [])
    const similar = '(and 2 more similar warnings elsewhere)'
    const planned = await here.plan()
    expect(times(planned.said, /Warning: /g)).toBe(1)
    expect(planned.said).toContain(similar)
    const { said } = await here.expect(1, 'apply', 'saved.plan')
    expect(times(said, /Warning: .*?no apply can do this as things are/g)).toBe(1)
    expect(said).toContain(similar)
    expect(times(said, /Error: /g)).toBe(3)
  })

  it('have one error where events fail that are read from different times on', async () => {
    const later = migration().replace('"migration"', '"later"')
    const here = await applied(migration())
    await here.control('POST', 'clock', { advance: 'PT3H' })
    await here.change(migration() + later)
    await here.control('POST', 'clock', { advance: 'PT3H' })
    await failing(here, 'GET', '/events', { fault: 'status', status: 500, count: 9999 })
    await here.configure(migration() + later, provider(`org_id = "${ORG}"\n  retry_timeout_seconds = 0`))
    // One after the other, so that each asks again.
    const { said } = await here.expect(1, 'plan', '-parallelism=1')
    expect(said).toMatch(/Error: DM-SERVICE-FAILURE.*the logs of the service, then plan again\./)
    expect(times(said, /Error:/g)).toBe(1)
  })

  it('are not passed over where the error of a data source before them is only the warning of a check', async () => {
    const here = await applied(three)
    const check = `check "all" {
  data "deploymgmt_alert_configurations" "all" {
    project_id = "PROJECT_ID"
  }
  assert {
    condition     = data.deploymgmt_alert_configurations.all.total_count > 0
    error_message = "never"
  }
}
`
    await here.configure(check + three, provider('private_key = "wrong"'))
    const { said } = await here.expect(1, 'plan')
    // Whichever fails first explains the cause; the other only says where.
    const errors = said.split(/(?=(?:Error|Warning): )/u).filter((part) => part.startsWith('Error: '))
    expect(errors).toEqual([
      expect.stringMatching(/DM-AUTH-REJECTED:.* with deploymgmt_alert_configuration/su),
    ])
  })
})

describe.skipIf(noTerraform)('wrong credentials', () => {
  it.each([
    ['windows', migration() + migration().replace('"migration"', '"second"')],
    ['users', user()],
  ])('are not called a missing role where a state holds only %s', async (_, hcl) => {
    const here = await applied(hcl)
    for (const key of ['private_key = "wrong"', 'public_key = "nobody"']) {
      await here.configure(hcl, provider(`org_id = "${ORG}"\n  ${key}`))
      for (const words of [['plan'], ['apply', '-auto-approve']]) {
        const { said } = await here.expect(1, ...words)
        expect(said).toMatch(/DM-AUTH-REJECTED: the service (?:has )?refused the credentials/)
        expect(said).not.toContain('its events cannot be read')
      }
    }
  })

  it('are told without an org_id, too', async () => {
    const here = await applied(migration())
    await here.configure(migration(), provider('private_key = "wrong"'))
    expect((await here.expect(1, 'plan')).said).toContain('DM-AUTH-REJECTED')
  })

  it('are not what a missing role is called', async () => {
    const scoped = { publicKey: 'scoped', privateKey: 'aa11bb22-canary-0010' }
    const apiKeys = [
      { id: '5c47503320eef5699e1cce8d', ...scoped, roles: [{ roleName: 'GROUP_OWNER', groupId: PROJECT }] },
      { id: '5c47503320eef5699e1cce8e', publicKey: 'owner', roles: [{ roleName: 'ORG_OWNER', orgId: ORG }] },
    ]
    const { publicKey, privateKey } = scoped
    const env = { DEPLOYMGMT_PUBLIC_KEY: publicKey, DEPLOYMGMT_PRIVATE_KEY: privateKey }
    const here = await applied(migration(), { fixture: fixtureWith({}, { apiKeys }), env })
    expect((await here.expectNoChanges()).said).toContain('its events cannot be read (401)')
  })
})

describe.skipIf(noTerraform)('warnings of many resources', () => {
  it('are one where they say the same of several things, of which each is named in the detail', async () => {
    const both = noisy() + noisy({ alert_config_id: `"${HOST_DOWN}"` }).replace('"noisy"', '"second"')
    const here = await applied(both)
    for (const id of [NOISY, HOST_DOWN])
      await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${id}`, { enabled: true })
    const { said } = await here.plan()
    expect(times(said, /Warning: [\w ]+: enabled changed outside of Terraform/g)).toBe(1)
    expect(said).toMatch(/outside of Terraform, by key "oncall" .*[0-9a-f]{24}\. Event /)
    expect(said).toContain('(and one more similar warning elsewhere)')
  })

  it('are one for each who has changed something, so that nobody is left out', async () => {
    const night: Key = { publicKey: 'night', privateKey: 'bb22cc33-canary-0011' }
    const roles = [{ roleName: 'ORG_OWNER', orgId: ORG }]
    const apiKeys = [CI, ONCALL, night].map((key, index) => ({
      id: `5c47503320eef5699e1cce8${index}`,
      ...key,
      roles,
    }))
    const both = noisy() + noisy({ alert_config_id: `"${HOST_DOWN}"` }).replace('"noisy"', '"second"')
    const two = migration() + migration().replace('"migration"', '"second"')
    const here = await applied(both + two, { fixture: fixtureWith({}, { apiKeys }) })
    await here.control('POST', 'clock', { advance: 'PT1M' })
    const windows = await windowsIn(here)
    for (const [index, key] of [ONCALL, night].entries()) {
      const id = [NOISY, HOST_DOWN][index]
      await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${id}`, { enabled: true }, key)
      const window = `/groups/${PROJECT}/maintenanceWindows/${windows[index].id}`
      await here.outside('PATCH', window, { description: 'Mine' }, key)
    }
    const { said } = await here.plan()
    for (const name of ['oncall', 'night']) {
      expect(said).toContain(`enabled changed outside of Terraform, by key "${name}"`)
      expect(said).toMatch(
        new RegExp(
          `description may have been changed outside .*by key "${name}"; \\S+ says: description "Mine" with`,
        ),
      )
    }
  })
})
