import { clientFor, http } from '../../service/support/client.ts'
import { ids, keys } from '../../service/support/fixture.ts'
import { GROUP, ORG, type Refusals, under } from './refusal.ts'

const ALERTS = `${GROUP}/alerts`
const owner = { roleName: 'ORG_OWNER', orgId: ids.org }

/** Who calls, and whether they are allowed to. */
export const callers: Refusals = {
  CANNOT_ADD_GLOBAL_ROLE: {
    status: 403,
    ask: ({ call }) => call('PATCH', `/users/${ids.dana}`, { roles: [{ roleName: 'GLOBAL_READ_ONLY' }] }),
  },
  CANNOT_DEMOTE_LAST_ORG_OWNER: {
    status: 403,
    ask: ({ as }) => as(keys.root)('PATCH', `/users/${ids.sam}`, { roles: [] }),
    options: {
      fixture: {
        organizations: [{ id: ids.org, apiKeys: [{ ...keys.root, roles: [{ roleName: 'GLOBAL_OWNER' }] }] }],
        users: [{ id: ids.sam, username: 'sam', roles: [owner] }],
      },
    },
  },
  IP_ADDRESS_NOT_ON_ACCESS_LIST: {
    status: 403,
    ask: ({ call }) => call('GET', ALERTS),
    ...under('open.accessListEnforced', 'true'),
  },
  NOT_IN_GROUP: { status: 401, ask: ({ as }) => as(keys.stranger)('GET', ALERTS) },
  NOT_ORG_ADMIN: {
    status: 401,
    ask: ({ as }) => as(keys.member)('PATCH', `${ORG}/apiKeys/${ids.reportingKey}`, { desc: 'Mine' }),
    ...under('open.unstatedRoles', 'owner'),
  },
  NOT_USER_ADMIN: {
    status: 401,
    ask: ({ as }) => as(keys.stranger)('PATCH', `/users/${ids.sam}`, { roles: [] }),
  },
  NO_CURRENT_USER: { status: 401, ask: ({ baseUrl }) => http('GET', baseUrl + ALERTS) },
  RATE_LIMITED: {
    status: 429,
    ask: async ({ call }) => {
      await call('GET', ALERTS)
      return call('GET', ALERTS)
    },
    ...under('open.rateLimit', '1'),
  },
  USER_UNAUTHORIZED: {
    status: 401,
    ask: ({ baseUrl }) => clientFor(baseUrl, { ...keys.ci, privateKey: 'another' })('GET', ALERTS),
  },

  CONTROL_TOKEN: {
    status: 401,
    ask: ({ baseUrl }) => http('GET', baseUrl.replace('/api/public/v1.0', '/_control/dump')),
  },
  LOOPBACK_ONLY: {
    status: 403,
    ask: ({ baseUrl }) =>
      http('GET', baseUrl.replace('/api/public/v1.0', '/_control/dump'), {
        headers: { host: 'service.example.com' },
      }),
    options: { host: '0.0.0.0', allowRemoteHost: true },
  },
}
