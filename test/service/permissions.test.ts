/** Permissions where the API description states no role (open.unstatedRoles). */
import { describe, expect, test } from 'vitest'
import type { Reply } from './support/client.ts'
import { ids, keys } from './support/fixture.ts'
import { serve, serveWith } from './support/service.ts'

type Call = (method: string, path: string, body?: unknown) => Promise<Reply>

const windows = `/groups/${ids.project}/maintenanceWindows/`
const newWindow = {
  alertTypeNames: ['HOST'],
  startDate: '2035-01-06T02:00:00Z',
  endDate: '2035-01-06T04:00:00Z',
}
const nobody = {
  username: 'new@example.com',
  password: 'Correct-Horse-7',
  emailAddress: 'new@example.com',
  firstName: 'N',
  lastName: 'N',
  mobileNumber: '1',
  roles: [],
}
/** All writes with no stated role, and one that gives the caller the organization. */
const writes: readonly [string, (call: Call) => Promise<Reply>][] = [
  [
    'a key makes itself an owner (2)',
    (call) => call('PATCH', `/orgs/${ids.org}/apiKeys/${ids.reportingKey}`, { roles: ['ORG_OWNER'] }),
  ],
  [
    'an alert configuration is changed (3)',
    (call) => call('PATCH', `/groups/${ids.project}/alertConfigs/${ids.config}`, { enabled: false }),
  ],
  [
    'a user is created (11)',
    (call) =>
      call('POST', '/users', { ...nobody, roles: [{ roleName: 'GROUP_OWNER', groupId: ids.project }] }),
  ],
  ['a user without roles is created (11)', (call) => call('POST', '/users', nobody)],
  ['a window is created (14)', (call) => call('POST', windows, newWindow)],
  ['an integration is deleted (18)', (call) => call('DELETE', `/groups/${ids.project}/integrations/PAGING`)],
]

describe('a key that may only read', () => {
  test.each(writes)('changes nothing: %s', async (_, write) => {
    const service = await serve()
    for (const key of [keys.reader, keys.member, keys.monitor]) {
      const before = await service.control('GET', '/dump')
      expect((await write(service.as(key))).status).toBe(401)
      expect((await service.control('GET', '/dump')).body).toEqual(before.body)
    }
  })

  test('reads what it is in', async () => {
    const { as } = await serve()
    expect((await as(keys.reader)('GET', `/groups/${ids.project}/alertConfigs`)).status).toBe(200)
    expect((await as(keys.stranger)('GET', `/groups/${ids.project}/alertConfigs`)).status).toBe(401)
  })
})

test.each([
  ['owner', 'ci', 200],
  ['owner', 'member', 401],
  ['membership', 'member', 200],
  ['membership', 'stranger', 401],
  ['none', 'stranger', 200],
] as const)('under open.unstatedRoles=%s the key %s creates a window with %i', async (value, key, status) => {
  const { as } = await serveWith({ 'open.unstatedRoles': value })
  expect((await as(keys[key])('POST', windows, newWindow)).status).toBe(status)
})
