import { expect, test } from 'vitest'
import { ids, keys } from '../support/fixture.ts'
import { serve, serveWith } from '../support/service.ts'

const path = `/orgs/${ids.org}/apiKeys/${ids.reportingKey}`

test('endpoint 1 lists the entries of the access list, with an address where the block is one', async () => {
  const { call } = await serve()
  const { body } = await call('GET', `/orgs/${ids.org}/apiKeys/${ids.ciKey}/accessList`)
  expect(body.results).toMatchObject([
    { cidrBlock: '192.0.2.0/24', ipAddress: null, count: 0, links: [{ rel: 'self' }] },
    { cidrBlock: '198.51.100.7/32', ipAddress: '198.51.100.7', count: 3 },
  ])
  expect(body.results[0]).not.toHaveProperty('lastUsed')
})

test('endpoint 1 counts the requests that come from an entry', async () => {
  const fixture = {
    organizations: [
      { id: ids.org, apiKeys: [{ id: ids.ciKey, ...keys.ci, accessList: [{ cidrBlock: '127.0.0.0/8' }] }] },
    ],
  }
  const { call } = await serve({ fixture })
  const list = `/orgs/${ids.org}/apiKeys/${ids.ciKey}/accessList`
  await call('GET', list)
  const { body } = await call('GET', list)
  expect(body.results[0]).toMatchObject({
    count: 2,
    lastUsedAddress: '127.0.0.1',
    lastUsed: expect.any(String),
  })
})

test('open.accessListEnforced=true refuses other addresses', async () => {
  const { call, as } = await serveWith({ 'open.accessListEnforced': 'true' })
  const refused = await call('GET', `/groups/${ids.project}/alerts`)
  expect([refused.status, refused.body.errorCode]).toEqual([403, 'IP_ADDRESS_NOT_ON_ACCESS_LIST'])
  expect((await as(keys.member)('GET', `/groups/${ids.project}/alerts`)).status).toBe(200)
})

test('endpoint 2 changes desc alone, roles alone, or both, and redacts the private key', async () => {
  const { call } = await serve()
  const first = await call('PATCH', path, { desc: 'Reporting pipeline' })
  expect(first.body).toMatchObject({
    id: ids.reportingKey,
    desc: 'Reporting pipeline',
    publicKey: 'reader',
    privateKey: '********-****-****-111111111111',
    roles: [{ roleName: 'GROUP_READ_ONLY', groupId: ids.project }],
    links: [{ rel: 'self' }],
  })
  const second = await call('PATCH', path, { roles: ['ORG_READ_ONLY', 'ORG_MEMBER', 'ORG_MEMBER'] })
  expect(second.body.roles).toEqual([
    { roleName: 'GROUP_READ_ONLY', groupId: ids.project },
    { roleName: 'ORG_MEMBER', orgId: ids.org },
    { roleName: 'ORG_READ_ONLY', orgId: ids.org },
  ])
  const third = await call('PATCH', path, { desc: 'Both', roles: ['ORG_MEMBER'] })
  expect(third.body).toMatchObject({
    desc: 'Both',
    roles: [{ groupId: ids.project }, { roleName: 'ORG_MEMBER' }],
  })
})

test('endpoint 2 takes a desc of 1 to 250 characters', async () => {
  const { call } = await serve()
  for (const desc of ['x', 'é'.repeat(250), '👍'.repeat(250)])
    expect((await call('PATCH', path, { desc })).body.desc).toBe(desc)
  for (const desc of ['', 'x'.repeat(251), '👍'.repeat(251), null, 7, ['x']]) {
    const { status, body } = await call('PATCH', path, { desc })
    expect([status, body.errorCode]).toEqual([400, 'INVALID_ATTRIBUTE'])
  }
})

test.each([
  [{}, 'MISSING_ONE_OF_ATTRIBUTES'],
  [{ roles: [] }, 'INVALID_ATTRIBUTE'],
  [{ roles: 'ORG_MEMBER' }, 'INVALID_ATTRIBUTE'],
  [{ roles: [{ roleName: 'ORG_MEMBER' }] }, 'INVALID_ENUM_VALUE'],
  [{ roles: ['ORG_NOTHING'] }, 'INVALID_ENUM_VALUE'],
  [{ roles: ['GROUP_OWNER'] }, 'INVALID_ROLE_FOR_ORG'],
  [{ roles: ['ORG_MEMBER', 'GLOBAL_OWNER'] }, 'INVALID_ROLE_FOR_ORG'],
])('endpoint 2 refuses %j with %s', async (body, errorCode) => {
  const { call, control } = await serve()
  const before = (await control('GET', '/dump')).body
  const reply = await call('PATCH', path, body)
  expect([reply.status, reply.body.errorCode]).toEqual([400, errorCode])
  expect((await control('GET', '/dump')).body).toEqual(before)
})

test.each([
  [{ desc: '' }, 'desc must not be empty'],
  [{ desc: 'x'.repeat(251) }, 'desc must have at most 250 characters'],
  [{ desc: 7 }, 'desc must be a string'],
  [{ roles: [] }, 'roles must not be empty'],
  [{ roles: 'ORG_OWNER' }, 'roles must be an array'],
])('endpoint 2 says what a field must be: %#', async (body, requirement) => {
  const { call } = await serve()
  expect((await call('PATCH', path, body)).body.detail).toBe(`The attribute ${requirement}.`)
})

test('endpoint 2 keeps the last owner of an organization, unless open.lastOwner=allow', async () => {
  const own = `/orgs/${ids.otherOrg}/apiKeys/`
  const find = async (service: Awaited<ReturnType<typeof serve>>) => {
    const { organizations } = (await service.control('GET', '/dump')).body
    return own + organizations[1].apiKeys[0].id
  }
  const strict = await serve()
  const refused = await strict.as(keys.stranger)('PATCH', await find(strict), { roles: ['ORG_MEMBER'] })
  expect([refused.status, refused.body.errorCode]).toEqual([403, 'CANNOT_DEMOTE_LAST_ORG_OWNER'])
  const lenient = await serveWith({ 'open.lastOwner': 'allow' })
  expect(
    (await lenient.as(keys.stranger)('PATCH', await find(lenient), { roles: ['ORG_MEMBER'] })).status,
  ).toBe(200)
})

test('endpoint 2 leaves an event for each field', async () => {
  const { call } = await serve()
  await call('PATCH', path, { desc: 'New', roles: ['ORG_MEMBER'] })
  const { body } = await call('GET', `/orgs/${ids.org}/events?includeRaw=true`)
  expect(body.results.slice(0, 2)).toMatchObject([
    {
      eventTypeName: 'API_KEY_ROLES_CHANGED',
      orgId: ids.org,
      apiKeyId: ids.ciKey,
      publicKey: 'ciadmin',
      targetPublicKey: 'reader',
      remoteAddress: '127.0.0.1',
      isGlobalAdmin: false,
      diffs: [{ type: 'ROLES', status: 'MODIFIED', params: [{ new: `ORG_MEMBER org:${ids.org}`, old: '' }] }],
    },
    { eventTypeName: 'API_KEY_DESCRIPTION_CHANGED', targetPublicKey: 'reader', raw: { desc: 'New' } },
  ])
})

test('open.apiKeyNotFoundStatus=404 answers so', async () => {
  const { call } = await serveWith({ 'open.apiKeyNotFoundStatus': '404' })
  expect((await call('PATCH', `/orgs/${ids.org}/apiKeys/${ids.absent}`, { desc: 'x' })).status).toBe(404)
})
