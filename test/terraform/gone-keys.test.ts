/** API keys that are gone. Only their access lists show that, because no other endpoint shows a key. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { failing, ORG } from '../support/installation.ts'
import { pass, startProxy, type TestProxy } from '../support/proxy.ts'
import { apiKey, noisy, REPORTER, resource, text } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, begin, configured, PROVIDER, type Workspace } from './support/workspace.ts'

const LIST = '["192.0.2.0/24", "198.51.100.7"]'
/** An organization that does not exist. */
const NOWHERE = '5980cfdf0b6d97029d820000'

interface Between extends Workspace {
  readonly proxy: TestProxy
}
/** A workspace behind a proxy, with an applied configuration. */
const appliedBetween = async (first: string): Promise<Between> => {
  const here = await begin()
  const proxy = await startProxy(here.baseUrl)
  onTestFinished(() => proxy.close())
  const provider = PROVIDER.replace('org_id', `base_url = "${proxy.baseUrl}"\n  org_id`)
  await here.change(first, provider)
  await here.newWrites()
  return { ...here, proxy, configure: (hcl) => here.configure(hcl, provider) }
}

/** Answers for a key as the service does after its deletion. */
const deleted = ({ proxy }: Between): void =>
  proxy.steer(async ({ method, path, authorized }, forward) => {
    if (method !== 'GET' || !authorized || !path.includes(`apiKeys/${REPORTER}`)) return forward()
    const body = JSON.stringify({ error: 400, errorCode: 'API_KEY_NOT_FOUND', parameters: [REPORTER] })
    return { status: 400, headers: { 'content-type': 'application/json' }, body }
  })

describe.skipIf(noTerraform)('an API key that is gone', () => {
  it.each([
    ['whose access list is configured', { access_list: LIST }],
    ['whose access list is not', {}],
  ])('%s, is a change until it is back, and stops nothing else', async (_, more) => {
    const here = await appliedBetween(apiKey(more) + noisy())
    expect(await here.state('api_key.reporting')).toMatchObject({ present: true })
    deleted(here)
    const { said, changes } = await here.plan()
    expect(changes.filter(({ actions }) => actions[0] !== 'no-op')).toMatchObject([
      {
        address: 'api_key.reporting',
        actions: ['update'],
        before: { present: false },
        after: { present: true },
      },
    ])
    expect(said).toContain('no call to create an API key')
    await here.expect(2, 'plan', '-detailed-exitcode')

    await here.configure(apiKey(more) + noisy({ enabled: 'true' }))
    await here.newWrites()
    const refused = await here.expect(1, 'apply', '-auto-approve')
    expect(refused.said).toMatch(/Error: not found at the service/)
    expect(refused.said).toMatch(/By hand: Organization \S+ → Access Manager → API Keys → Create/)
    expect(await here.newWrites()).toHaveLength(1)
    expect(await here.state('alert_configuration.noisy')).toMatchObject({ enabled: true })
    expect(await here.state('api_key.reporting')).toMatchObject({ present: false, desc: 'Reporting' })

    here.proxy.steer(pass)
    await here.expectNoChanges()
  })

  it.each([
    ['its access list alone is', { access_list: LIST }],
    ['nothing of it is', {}],
  ])('is a change where it was imported, and %s configured', async (_, more) => {
    const key = { org_id: '"ORG_ID"', api_key_id: text(REPORTER), ...more }
    const block = `import {\n  to = deploymgmt_api_key.reporting\n  id = "${ORG}/${REPORTER}"\n}\n`
    const here = await appliedBetween(resource('api_key', 'reporting', key) + block)
    await here.expectNoChanges()
    deleted(here)
    const { changes } = await here.plan()
    expect(changes).toMatchObject([
      { actions: ['update'], before: { present: false }, after: { present: true } },
    ])
    expect((await here.expect(1, 'apply', 'saved.plan')).said).toMatch(/Error: not found at the service/)
    expect(await here.newWrites()).toEqual([])
    here.proxy.steer(pass)
    await here.expectNoChanges()
  })

  it('is written to no more, whatever else of it is changed', async () => {
    const here = await appliedBetween(apiKey())
    deleted(here)
    await here.configure(apiKey({ desc: '"Other"' }))
    expect((await here.plan()).said).toMatch(/Warning: .*not found at the service/)
    expect((await here.expect(1, 'apply', 'saved.plan')).said).toMatch(/Error: not found at the service/)
    expect(await here.newWrites()).toEqual([])
  })

  it('is forgotten by a destroy', async () => {
    const here = await appliedBetween(apiKey())
    deleted(here)
    await here.expect(0, 'destroy', '-auto-approve')
    expect((await here.expect(0, 'state', 'list')).stdout).toBe('')
  })

  it('cannot be adopted, which the plan says at its id with what to do by hand', async () => {
    const gone = '5c47503320eef5699e1c0000'
    const here = await configured(
      resource('api_key', 'reporting', { org_id: '"ORG_ID"', api_key_id: text(gone), desc: '"Gone"' }),
    )
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(/\d+: api_key_id = /)
    expect(said).toMatch(/By hand: Organization \S+ → Access Manager → API Keys → Create/)
    expect(await here.writes()).toEqual([])
  })

  it.each([
    ['whose access list is configured', { access_list: LIST }],
    ['whose access list is not', {}],
  ])(
    'in an organization that is not there, %s, is an error of the plan that names the place',
    async (_, more) => {
      const here = await applied(apiKey(more))
      await here.configure(apiKey({ ...more, org_id: text(NOWHERE) }))
      const { said } = await here.expect(1, 'plan')
      expect(said).toMatch(
        /Error: the project or organization it is declared for was not found at the service: 5980cfdf/,
      )
      expect(said).toMatch(/\d+: +org_id = /)
      expect(said).not.toContain('API Keys → Create')
    },
  )

  it('in an organization that is not there is not imported', async () => {
    const here = await configured(apiKey({ org_id: text(NOWHERE) }))
    const { said } = await here.expect(1, 'import', 'deploymgmt_api_key.reporting', `${NOWHERE}/${REPORTER}`)
    expect(said).toContain('Cannot import non-existent remote object')
  })

  it.each([
    ['the calling key may not read its access list', 403],
    ['an access list that nobody configured is not found, with no word about the key', 404],
  ])('is none where %s', async (_, status) => {
    const here = await configured(apiKey())
    await failing(here, 'GET', '/accessList', { fault: 'status', status, count: 99 })
    await here.apply()
    expect(await here.state('api_key.reporting')).toMatchObject({ present: true })
    await here.expectNoChanges()
  })
})

describe.skipIf(noTerraform)('the access list of a key that is taken out of the configuration', () => {
  it('is compared no more, which the plan says, and compared again once it is back', async () => {
    const here = await applied(apiKey({ access_list: LIST }))
    await here.configure(apiKey())
    const { said, changes } = await here.plan()
    expect(said).toMatch(
      /Warning: access_list is no longer declared: it is no longer compared, and the service keeps it as it is/,
    )
    expect(changes).toMatchObject([{ actions: ['update'], after: { access_list: null } }])
    await here.expect(0, 'apply', 'saved.plan')
    expect(await here.newWrites()).toEqual([])
    await here.expectNoChanges()
    await here.configure(apiKey({ access_list: '["192.0.2.0/24"]' }))
    expect((await here.expect(1, 'plan')).said).toMatch(/Error: access_list also has 198\.51\.100\.7\/32/)
    await here.change(apiKey({ access_list: LIST }))
    await here.expectNoChanges()
    expect(await here.state('api_key.reporting')).toMatchObject({ org_id: ORG, present: true })
  })
})
