import { http } from '../../service/support/client.ts'
import { newUser, newWindow } from '../../service/support/endpoints.ts'
import { ids } from '../../service/support/fixture.ts'
import { GROUP, type Refusals, under } from './refusal.ts'

const WINDOWS = `${GROUP}/maintenanceWindows`
const CONFIG = `${GROUP}/alertConfigs/${ids.config}`
const KEY = `/orgs/${ids.org}/apiKeys/${ids.reportingKey}`

/** Requests that are wrong, whoever sends them. */
export const requests: Refusals = {
  BAD_REQUEST: { status: 400, ask: ({ call }) => call('GET', '/%zz') },
  METHOD_NOT_ALLOWED: { status: 405, ask: ({ call }) => call('DELETE', CONFIG) },
  MISDIRECTED_REQUEST: {
    status: 421,
    ask: ({ baseUrl }) => http('GET', `${baseUrl}/users`, { headers: { host: 'service.example.com' } }),
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    ask: ({ call }) => call('POST', WINDOWS, { ...newWindow, description: 'x'.repeat(1024 * 1024) }),
  },
  RESOURCE_NOT_FOUND: { status: 404, ask: ({ call }) => call('GET', '/nothing') },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    ask: ({ call }) => call('POST', WINDOWS, newWindow, { headers: { 'content-type': 'text/plain' } }),
  },
  URI_TOO_LONG: { status: 414, ask: ({ call }) => call('GET', `/users/${'x'.repeat(5000)}/accessList/x`) },

  ATTRIBUTE_READ_ONLY: {
    status: 400,
    ask: ({ call }) => call('PATCH', CONFIG, { enabled: true, id: ids.absent }),
  },
  FRACTIONAL_TIMESTAMP: {
    status: 400,
    ask: ({ call }) => call('POST', WINDOWS, { ...newWindow, startDate: '2126-12-05T02:00:00.5Z' }),
    ...under('open.fractionalTimestamps', 'reject'),
  },
  INVALID_ATTRIBUTE: {
    status: 400,
    ask: ({ call }) => call('POST', WINDOWS, { ...newWindow, startDate: 'soon' }),
  },
  INVALID_ENUM_VALUE: {
    status: 400,
    ask: ({ call }) => call('POST', WINDOWS, { ...newWindow, alertTypeNames: ['OTHER'] }),
  },
  INVALID_JSON: {
    status: 400,
    ask: ({ call }) =>
      call('POST', '/users', undefined, {
        body: `{"password":"${newUser.password}"`,
        headers: { 'content-type': 'application/json' },
      }),
  },
  INVALID_JSON_ATTRIBUTE: {
    status: 400,
    ask: ({ call }) => call('POST', '/users', { ...newUser, pass: 'x' }),
  },
  INVALID_QUERY_PARAMETER: { status: 400, ask: ({ call }) => call('GET', `${GROUP}/alerts?pageNum=0`) },
  MISSING_ATTRIBUTE: {
    status: 400,
    ask: ({ call }) => call('POST', '/users', { password: newUser.password }),
  },
  MISSING_ONE_OF_ATTRIBUTES: { status: 400, ask: ({ call }) => call('PATCH', KEY, {}) },

  CANNOT_UPDATE_ENDED_MAINTENANCE_WINDOW: {
    status: 400,
    ask: async ({ call, control }) => {
      const { body } = await call('POST', WINDOWS, newWindow)
      await control('POST', '/clock', { now: '2127-01-01T00:00:00Z' })
      return call('PATCH', `${WINDOWS}/${body.id}`, { description: 'Later' })
    },
  },
  INVALID_ROLE_FOR_ORG: { status: 400, ask: ({ call }) => call('PATCH', KEY, { roles: ['GROUP_OWNER'] }) },
  INVALID_USERNAME: { status: 400, ask: ({ call }) => call('POST', '/users', { ...newUser, username: '' }) },
  MAINTENANCE_WINDOW_START_DATE_AFTER_END_DATE: {
    status: 400,
    ask: ({ call }) => call('POST', WINDOWS, { ...newWindow, endDate: newWindow.startDate }),
  },
  MISSING_MAINTENANCE_WINDOW_ALERT_TYPE_NAME: {
    status: 400,
    ask: ({ call }) => call('POST', WINDOWS, { ...newWindow, alertTypeNames: undefined }),
  },
  MISSING_MAINTENANCE_WINDOW_END_DATE: {
    status: 400,
    ask: ({ call }) => call('POST', WINDOWS, { ...newWindow, endDate: undefined }),
  },
  MISSING_MAINTENANCE_WINDOW_START_DATE: {
    status: 400,
    ask: ({ call }) => call('POST', WINDOWS, { ...newWindow, startDate: undefined }),
  },
  ...Object.fromEntries(
    Object.entries({
      ROLE_NEEDS_GROUP_ID: { roleName: 'GROUP_OWNER' },
      ROLE_NEEDS_NO_GROUP_ID: { roleName: 'ORG_MEMBER', orgId: ids.org, groupId: ids.project },
      ROLE_NEEDS_NO_ORG_ID: { roleName: 'GLOBAL_READ_ONLY', orgId: ids.org },
      ROLE_NEEDS_ORG_ID: { roleName: 'ORG_MEMBER' },
    }).map(([code, role]): [string, Refusals[keyof Refusals]] => [
      code,
      { status: 400, ask: ({ call }) => call('POST', '/users', { ...newUser, roles: [role] }) },
    ]),
  ),
  USER_ALREADY_EXISTS: {
    status: 409,
    ask: ({ call }) => call('POST', '/users', { ...newUser, username: 'sam@example.com' }),
  },
  WEAK_PASSWORD: { status: 400, ask: ({ call }) => call('POST', '/users', { ...newUser, password: '' }) },
}
