import { ids, keys } from './fixture.ts'
import type { Key } from './digest.ts'

/** A request that an endpoint of the description answers, and requests that it must refuse. */
export interface EndpointCase {
  readonly number: number
  readonly method: string
  readonly path: string
  readonly status: number
  readonly key?: Key
  readonly body?: Record<string, unknown>
  readonly answers: 'one' | 'list' | 'nothing'
  /** The same with a parent, or else an item, that is not there. */
  readonly missing: readonly { readonly path: string; readonly status: number; readonly errorCode: string }[]
  /** A key that lacks what is needed, and the code of the refusal. */
  readonly refused: { readonly key: Key; readonly errorCode: string }
}

const org = `/orgs/${ids.org}`
const group = `/groups/${ids.project}`
const noOrg = { status: 404, errorCode: 'ORG_NOT_FOUND' }
const noGroup = { status: 404, errorCode: 'GROUP_NOT_FOUND' }
const absentGroup = `/groups/${ids.absent}`
const stranger = { key: keys.stranger, errorCode: 'NOT_IN_GROUP' }

const role = { roleName: 'ORG_MEMBER', orgId: ids.org }

/** A user that can be created. */
export const newUser = {
  username: 'new@example.com',
  password: 'a-password-1',
  emailAddress: 'new@example.com',
  mobileNumber: '2125550198',
  firstName: 'New',
  lastName: 'User',
  roles: [role],
}

/** A window that can be created. */
export const newWindow = {
  alertTypeNames: ['REPLICA_SET', 'HOST'],
  startDate: '2126-12-05T02:00:00Z',
  endDate: '2126-12-05T04:00:00Z',
  description: 'Storage migration',
}

/** Endpoint 15 needs a window: the caller creates one and puts its id in place of this. */
export const windowId = '{windowId}'

export const endpointCases: readonly EndpointCase[] = [
  {
    number: 1,
    method: 'GET',
    path: `${org}/apiKeys/${ids.ciKey}/accessList`,
    status: 200,
    answers: 'list',
    missing: [
      { path: `/orgs/${ids.absent}/apiKeys/${ids.ciKey}/accessList`, ...noOrg },
      { path: `${org}/apiKeys/${ids.absent}/accessList`, status: 400, errorCode: 'API_KEY_NOT_FOUND' },
    ],
    refused: { key: keys.stranger, errorCode: 'USER_UNAUTHORIZED' },
  },
  {
    number: 2,
    method: 'PATCH',
    path: `${org}/apiKeys/${ids.reportingKey}`,
    body: { desc: 'Renamed', roles: ['ORG_READ_ONLY'] },
    status: 200,
    answers: 'one',
    missing: [
      { path: `/orgs/${ids.absent}/apiKeys/${ids.ciKey}`, ...noOrg },
      { path: `${org}/apiKeys/${ids.absent}`, status: 400, errorCode: 'API_KEY_NOT_FOUND' },
    ],
    refused: { key: keys.stranger, errorCode: 'USER_UNAUTHORIZED' },
  },
  {
    number: 3,
    method: 'PATCH',
    path: `${group}/alertConfigs/${ids.config}`,
    body: { enabled: false },
    status: 200,
    answers: 'one',
    missing: [
      { path: `${absentGroup}/alertConfigs/${ids.config}`, ...noGroup },
      { path: `${group}/alertConfigs/${ids.absent}`, status: 404, errorCode: 'ALERT_CONFIG_NOT_FOUND' },
    ],
    refused: stranger,
  },
  {
    number: 4,
    method: 'GET',
    path: `${group}/alerts`,
    status: 200,
    answers: 'list',
    missing: [{ path: `${absentGroup}/alerts`, ...noGroup }],
    refused: stranger,
  },
  {
    number: 5,
    method: 'GET',
    path: `${group}/alertConfigs`,
    status: 200,
    answers: 'list',
    missing: [{ path: `${absentGroup}/alertConfigs`, ...noGroup }],
    refused: stranger,
  },
  {
    number: 6,
    method: 'GET',
    path: `${group}/alerts/${ids.openAlert}`,
    status: 200,
    answers: 'one',
    missing: [
      { path: `${absentGroup}/alerts/${ids.openAlert}`, ...noGroup },
      { path: `${group}/alerts/${ids.absent}`, status: 404, errorCode: 'ALERT_NOT_FOUND' },
    ],
    refused: stranger,
  },
  {
    number: 7,
    method: 'GET',
    path: `${group}/alertConfigs/${ids.config}`,
    status: 200,
    answers: 'one',
    missing: [
      { path: `${absentGroup}/alertConfigs/${ids.config}`, ...noGroup },
      { path: `${group}/alertConfigs/${ids.absent}`, status: 404, errorCode: 'ALERT_CONFIG_NOT_FOUND' },
    ],
    refused: stranger,
  },
  {
    number: 8,
    method: 'GET',
    path: `${group}/automationStatus`,
    status: 200,
    answers: 'one',
    missing: [{ path: `${absentGroup}/automationStatus`, ...noGroup }],
    refused: stranger,
  },
  {
    number: 9,
    method: 'PATCH',
    path: `/users/${ids.dana}`,
    body: { roles: [role] },
    status: 200,
    answers: 'one',
    missing: [{ path: `/users/${ids.absent}`, status: 404, errorCode: 'USER_NOT_FOUND' }],
    refused: { key: keys.member, errorCode: 'NOT_USER_ADMIN' },
  },
  {
    number: 10,
    method: 'GET',
    path: `/globalAlerts/${ids.globalAlert}`,
    status: 200,
    key: keys.monitor,
    answers: 'one',
    missing: [{ path: `/globalAlerts/${ids.absent}`, status: 404, errorCode: 'ALERT_NOT_FOUND' }],
    refused: { key: keys.ci, errorCode: 'USER_UNAUTHORIZED' },
  },
  {
    number: 11,
    method: 'POST',
    path: '/users',
    body: newUser,
    status: 201,
    answers: 'one',
    missing: [],
    refused: { key: keys.stranger, errorCode: 'USER_UNAUTHORIZED' },
  },
  {
    number: 12,
    method: 'GET',
    path: `${group}/agents/BACKUP`,
    status: 200,
    answers: 'list',
    missing: [{ path: `${absentGroup}/agents/BACKUP`, ...noGroup }],
    refused: stranger,
  },
  {
    number: 13,
    method: 'GET',
    path: `/users/${ids.sam}/accessList/203.0.113.5`,
    status: 200,
    key: keys.sam,
    answers: 'list',
    missing: [
      { path: `/users/${ids.absent}/accessList/203.0.113.5`, status: 404, errorCode: 'USER_NOT_FOUND' },
      { path: `/users/${ids.sam}/accessList/203.0.113.6`, status: 404, errorCode: 'ACCESS_LIST_NOT_FOUND' },
    ],
    refused: { key: keys.ci, errorCode: 'NO_CURRENT_USER' },
  },
  {
    number: 14,
    method: 'POST',
    path: `${group}/maintenanceWindows/`,
    body: newWindow,
    status: 200,
    answers: 'one',
    missing: [{ path: `${absentGroup}/maintenanceWindows/`, ...noGroup }],
    refused: stranger,
  },
  {
    number: 15,
    method: 'PATCH',
    path: `${group}/maintenanceWindows/${windowId}`,
    body: { description: 'Longer' },
    status: 201,
    answers: 'one',
    missing: [
      { path: `${absentGroup}/maintenanceWindows/${ids.absent}`, ...noGroup },
      {
        path: `${group}/maintenanceWindows/${ids.absent}`,
        status: 404,
        errorCode: 'MAINTENANCE_WINDOW_NOT_FOUND',
      },
    ],
    refused: stranger,
  },
  {
    number: 16,
    method: 'GET',
    path: `${group}/hosts/${ids.host}/disks`,
    status: 200,
    answers: 'list',
    missing: [
      { path: `${absentGroup}/hosts/${ids.host}/disks`, ...noGroup },
      { path: `${group}/hosts/${ids.absent}/disks`, status: 404, errorCode: 'HOST_NOT_FOUND' },
    ],
    refused: stranger,
  },
  {
    number: 17,
    method: 'GET',
    path: `${group}/integrations`,
    status: 200,
    answers: 'list',
    missing: [{ path: `${absentGroup}/integrations`, ...noGroup }],
    refused: stranger,
  },
  {
    number: 18,
    method: 'DELETE',
    path: `${group}/integrations/PAGING`,
    status: 204,
    answers: 'nothing',
    missing: [
      { path: `${absentGroup}/integrations/PAGING`, ...noGroup },
      { path: `${group}/integrations/CHAT_B`, status: 404, errorCode: 'INTEGRATION_NOT_FOUND' },
    ],
    refused: stranger,
  },
  {
    number: 19,
    method: 'GET',
    path: `${org}/events`,
    status: 200,
    answers: 'list',
    missing: [{ path: `/orgs/${ids.absent}/events`, ...noOrg }],
    refused: { key: keys.reader, errorCode: 'USER_UNAUTHORIZED' },
  },
  {
    number: 20,
    method: 'GET',
    path: `${group}/events/${ids.event}`,
    status: 200,
    answers: 'one',
    missing: [
      { path: `${absentGroup}/events/${ids.event}`, ...noGroup },
      { path: `${group}/events/${ids.absent}`, status: 404, errorCode: 'EVENT_NOT_FOUND' },
    ],
    refused: { key: keys.member, errorCode: 'USER_UNAUTHORIZED' },
  },
  {
    number: 21,
    method: 'GET',
    path: `${org}/events/${ids.event}`,
    status: 200,
    answers: 'one',
    missing: [
      { path: `/orgs/${ids.absent}/events/${ids.event}`, ...noOrg },
      { path: `${org}/events/${ids.absent}`, status: 404, errorCode: 'EVENT_NOT_FOUND' },
    ],
    refused: { key: keys.reader, errorCode: 'USER_UNAUTHORIZED' },
  },
]
