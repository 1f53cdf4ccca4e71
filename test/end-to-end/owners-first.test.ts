import { expect, it } from 'vitest'
import { manifestWith, ORG, PROJECT } from '../support/installation.ts'
import { begin, expectApply, ONCALL_ID, org, REPORTER, sam, SAM } from '../support/people.ts'
import { at, begin as beginScene, beginApplied, only, type Scene } from '../support/scene.ts'

const NAMED = ['apiKeys.reporting', 'unmanaged apiKeys', 'alertConfigurations.noisy']

/** Somebody switches an alert on, and gives a role to two keys, one of which is declared. */
const given = async (here: Scene, roleName: string): Promise<void> => {
  const alert = (await here.state()).resources['alertConfigurations.noisy'].identity.alertConfigId
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${alert}`, { enabled: true })
  for (const id of [REPORTER, ONCALL_ID])
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${id}`, { roles: [roleName] })
}

const orderIn = async (here: Scene, format: string): Promise<string[]> => {
  const { stdout } = await here.run('drift', '--format', format)
  const places = NAMED.map((name) => ({ name, at: stdout.indexOf(name) })).filter(
    ({ at: place }) => place >= 0,
  )
  return places.toSorted((a, b) => a.at - b.at).map(({ name }) => name)
}

it('who has got the rights of an owner stands before what else has drifted, declared or not', async () => {
  const here = await beginApplied(manifestWith())
  await given(here, 'ORG_OWNER')
  const { document } = await here.json('drift')
  expect(at(document, 'apiKeys.reporting')).toMatchObject({ owns: true })
  expect(at(document, 'alertConfigurations.noisy')).not.toHaveProperty('owns')
  expect(document.unmanaged).toMatchObject([{ section: 'apiKeys', owns: true }])
  expect(await orderIn(here, 'brief')).toEqual(NAMED.slice(0, 2))
})

it('so does a user whose rights of an owner may have been taken away', async () => {
  const users = `  zoe: { userId: ${SAM}, rolesComplete: true, roles: [{ roleName: ORG_OWNER, orgId: ${ORG} }] }`
  const apiKeys = `  a-oncall: { apiKeyId: ${ONCALL_ID}, desc: oncall }`
  const here = await begin({ apiKeys, users, people: [sam(org('ORG_OWNER'))] })
  await expectApply(here, 0, '--allow-owner-removal')
  await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${ONCALL_ID}`, { desc: 'other' })
  await here.outside('PATCH', `/users/${SAM}`, { roles: [org('ORG_MEMBER')] })
  const { stdout } = await here.run('drift', '--format', 'brief')
  expect(stdout.split('\n')[1]).toMatch(/^users\.zoe.*: roles: /)
})

it('other rights have no such place', async () => {
  const here = await beginApplied(manifestWith())
  await given(here, 'ORG_READ_ONLY')
  const { document } = await here.json('drift')
  expect(JSON.stringify(document)).not.toContain('"owns"')
  expect((await orderIn(here, 'brief'))[0]).toBe('alertConfigurations.noisy')
})

/** What a report says about a declared key that had a role and no longer exists. */
const whetherGoneOwns = async (role: string): Promise<unknown> => {
  const key = `  reporting: { apiKeyId: ${REPORTER}, desc: r, roles: [${role}], accessList: [192.0.2.0/24, 198.51.100.7] }`
  const here = await beginScene({ proxied: true })
  await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles: [role] })
  await here.manifest(only('apiKeys', key))
  expect((await here.run('apply', '--auto-approve')).code).toBe(0)
  // The answer of a service about a deleted key.
  here.proxy.steer(async ({ method, path, authorized }, forward) => {
    if (method !== 'GET' || !authorized || !path.includes(`apiKeys/${REPORTER}`)) return forward()
    const body = JSON.stringify({ error: 400, errorCode: 'API_KEY_NOT_FOUND', parameters: [REPORTER] })
    return { status: 400, headers: { 'content-type': 'application/json' }, body }
  })
  const found = at((await here.json('drift')).document, 'apiKeys.reporting')
  expect(found).toMatchObject({ verdict: 'drifted', reasonCode: 'gone-at-service' })
  return found.owns
}

it('so does an owner that is gone as a whole, and no other key', async () => {
  expect(await whetherGoneOwns('ORG_OWNER')).toBe(true)
  expect(await whetherGoneOwns('ORG_MEMBER')).toBe(undefined)
})

/** Where each name first occurs in the report, without the head of the page. */
const placesIn = async (here: Scene, format: string, names: readonly string[]): Promise<number[]> => {
  const { stdout } = await here.run('drift', '--format', format)
  const page = stdout.replaceAll(/<(?:style|script)[\s\S]*?<\/\w+>/g, '').replaceAll('<wbr />', '')
  const plain = format === 'html' ? page.replaceAll(/<\/?(?:bdi|span)>/g, '') : page
  return names.map((name) => plain.indexOf(name))
}

it('owners come first in every format, then alerts that are off, then the rest; of fields the gravest', async () => {
  const here = await beginApplied(manifestWith())
  const { resources } = await here.state()
  const silence = {
    alertTypeNames: ['HOST'],
    startDate: '2020-01-01T00:00:00Z',
    endDate: '2036-01-01T00:00:00Z',
  }
  await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows/`, { ...silence, description: 'quiet' })
  await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { desc: 'theirs' })
  await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles: ['ORG_OWNER'] })
  await here.outside('PATCH', `/users/${resources['users.dana'].identity.userId}`, {
    roles: [org('ORG_OWNER')],
  })
  const alerts = `/groups/${PROJECT}/alertConfigs`
  await here.outside('PATCH', `${alerts}/5d1113b25a115342acc2d1aa`, { enabled: true })
  await here.outside('PATCH', `${alerts}/5d1113b25a115342acc2d0f3`, { enabled: false })
  await here.outside('DELETE', `/groups/${PROJECT}/integrations/PAGING`)

  const { document } = await here.json('drift')
  expect(at(document, 'users.dana')).toMatchObject({ owns: true, fields: [{ path: 'roles', owns: true }] })
  const off = document.resources.find(({ address }: any) =>
    address.startsWith('alertConfigurations.host-down'),
  )
  expect(off).toMatchObject({ turnsOff: true, fields: [{ turnsOff: true }] })
  const { fields, owns } = at(document, 'apiKeys.reporting')
  expect([owns, ...fields.map((each: any) => [each.path, each.owns])]).toEqual([
    true,
    ['roles', true],
    ['desc', undefined],
  ])
  const order = [
    'silences HOST',
    'apiKeys.reporting',
    'users.dana',
    'alertConfigurations.host-down',
    'integrations.paging',
    'alertConfigurations.noisy',
  ]
  for (const format of ['text', 'html', 'sarif']) {
    const places = await placesIn(here, format, order)
    expect({ format, places }).toEqual({ format, places: places.toSorted((a, b) => a - b) })
    expect(places).not.toContain(-1)
  }
  const markdown = (await here.run('drift', '--format', 'markdown')).stdout.split('\n')
  const rows = markdown.filter((row) => row.startsWith('| **1 '))
  expect(rows.map((row) => order.find((name) => row.includes(name)) ?? row)).toEqual(order)
  const brief = (await here.run('drift', '--format', 'brief')).stdout.split('\n')
  expect(brief[1]).toMatch(/^unmanaged maintenanceWindows/)
  expect(brief[2]).toMatch(/^apiKeys\.reporting: roles: .* and 1 more, likely by key "oncall"/)
  expect(brief[3]).toMatch(/^4 more, 1 of them about an owner, 1 turned off\. Who/)
})

it('what is accepted of a drift takes its gravity with it', async () => {
  const here = await beginApplied(manifestWith())
  await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { desc: 'theirs' })
  await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles: ['ORG_OWNER'] })
  const accept = ['drift', 'accept', 'apiKeys.reporting.roles', '--reason', 'fine']
  expect(await here.run(...accept)).toMatchObject({ code: 0 })
  const { document } = await here.json('drift')
  expect(at(document, 'apiKeys.reporting')).not.toHaveProperty('owns')
  expect(document.accepted).toMatchObject([{ address: 'apiKeys.reporting', owns: true }])
})
