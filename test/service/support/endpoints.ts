import { fixture, ids, keys } from './fixture.ts'
import type { Key } from './digest.ts'

/** A request that an endpoint has to answer, and similar requests that it has to refuse. */
export interface EndpointCase {
  readonly number: number
  readonly method: string
  readonly path: string
  readonly status: number
  readonly key?: Key
  readonly body?: Record<string, unknown>
  readonly answers: 'one' | 'list' | 'nothing'
  /** The same request for a parent or item that does not exist. */
  readonly missing: readonly { readonly path: string; readonly status: number; readonly errorCode: string }[]
  /** A key without the necessary rights, and the code of the refusal. */
  readonly refused: { readonly key: Key; readonly errorCode: string }
}

const org = `/orgs/${ids.org}`
const group = `/groups/${ids.project}`
const absentGroup = `/groups/${ids.absent}`
const role = { roleName: 'ORG_MEMBER', orgId: ids.org }

export const newUser = {
  username: 'new@example.com',
  password: 'a-password-1',
  emailAddress: 'new@example.com',
  mobileNumber: '2125550198',
  firstName: 'New',
  lastName: 'User',
  roles: [role],
}

export const newWindow = {
  alertTypeNames: ['REPLICA_SET', 'HOST'],
  startDate: '2126-12-05T02:00:00Z',
  endDate: '2126-12-05T04:00:00Z',
  description: 'Storage migration',
}

/** The fixture with a window in each project; its id occurs in no other list. */
export const windowed = {
  ...fixture,
  projects: fixture.projects.map((project) => ({
    ...project,
    maintenanceWindows: [{ ...newWindow, id: ids.absent }],
  })),
}

/** A placeholder: for endpoint 15, the caller creates a window and inserts its id. */
export const windowId = '{windowId}'

type Missing = EndpointCase['missing'][number]
const notThere = (path: string, errorCode: string, status = 404): Missing => ({ path, status, errorCode })
const notPermitted = (key: Key, errorCode = 'USER_UNAUTHORIZED') => ({ key, errorCode })

/** A path in an organization or a project that may not exist, or that the other organization's key may not see. */
const below =
  (place: string, absent: Missing, errorCode: string) =>
  (
    number: number,
    method: string,
    path: string,
    { missing = [], ...more }: Partial<EndpointCase> & Pick<EndpointCase, 'answers'>,
  ): EndpointCase => ({
    number,
    method,
    path: place + path,
    status: 200,
    missing: [{ ...absent, path: absent.path + path }, ...missing],
    refused: notPermitted(keys.stranger, errorCode),
    ...more,
  })
const inOrganization = below(org, notThere(`/orgs/${ids.absent}`, 'ORG_NOT_FOUND'), 'USER_UNAUTHORIZED')
const inProject = below(group, notThere(absentGroup, 'GROUP_NOT_FOUND'), 'NOT_IN_GROUP')

export const endpointCases: readonly EndpointCase[] = [
  inOrganization(1, 'GET', `/apiKeys/${ids.ciKey}/accessList`, {
    answers: 'list',
    missing: [notThere(`${org}/apiKeys/${ids.absent}/accessList`, 'API_KEY_NOT_FOUND', 400)],
  }),
  inOrganization(2, 'PATCH', `/apiKeys/${ids.reportingKey}`, {
    body: { desc: 'Renamed', roles: ['ORG_READ_ONLY'] },
    answers: 'one',
    missing: [notThere(`${org}/apiKeys/${ids.absent}`, 'API_KEY_NOT_FOUND', 400)],
  }),
  inProject(3, 'PATCH', `/alertConfigs/${ids.config}`, {
    body: { enabled: false },
    answers: 'one',
    missing: [notThere(`${group}/alertConfigs/${ids.absent}`, 'ALERT_CONFIG_NOT_FOUND')],
  }),
  inProject(4, 'GET', '/alerts', { answers: 'list' }),
  inProject(5, 'GET', '/alertConfigs', { answers: 'list' }),
  inProject(6, 'GET', `/alerts/${ids.openAlert}`, {
    answers: 'one',
    missing: [notThere(`${group}/alerts/${ids.absent}`, 'ALERT_NOT_FOUND')],
  }),
  inProject(7, 'GET', `/alertConfigs/${ids.config}`, {
    answers: 'one',
    missing: [notThere(`${group}/alertConfigs/${ids.absent}`, 'ALERT_CONFIG_NOT_FOUND')],
  }),
  inProject(8, 'GET', '/automationStatus', { answers: 'one' }),
  {
    number: 9,
    method: 'PATCH',
    path: `/users/${ids.dana}`,
    body: { roles: [role] },
    status: 200,
    answers: 'one',
    missing: [notThere(`/users/${ids.absent}`, 'USER_NOT_FOUND')],
    refused: notPermitted(keys.member, 'NOT_USER_ADMIN'),
  },
  {
    number: 10,
    method: 'GET',
    path: `/globalAlerts/${ids.globalAlert}`,
    status: 200,
    key: keys.monitor,
    answers: 'one',
    missing: [notThere(`/globalAlerts/${ids.absent}`, 'ALERT_NOT_FOUND')],
    refused: notPermitted(keys.ci),
  },
  {
    number: 11,
    method: 'POST',
    path: '/users',
    body: newUser,
    status: 201,
    answers: 'one',
    missing: [],
    refused: notPermitted(keys.stranger),
  },
  inProject(12, 'GET', '/agents/BACKUP', { answers: 'list' }),
  {
    number: 13,
    method: 'GET',
    path: `/users/${ids.sam}/accessList/203.0.113.5`,
    status: 200,
    key: keys.sam,
    answers: 'list',
    missing: [
      notThere(`/users/${ids.absent}/accessList/203.0.113.5`, 'USER_NOT_FOUND'),
      notThere(`/users/${ids.sam}/accessList/203.0.113.6`, 'ACCESS_LIST_NOT_FOUND'),
    ],
    refused: notPermitted(keys.ci, 'NO_CURRENT_USER'),
  },
  inProject(14, 'POST', '/maintenanceWindows/', { body: newWindow, answers: 'one' }),
  {
    number: 15,
    method: 'PATCH',
    path: `${group}/maintenanceWindows/${windowId}`,
    body: { description: 'Longer' },
    status: 201,
    answers: 'one',
    missing: [
      notThere(`${absentGroup}/maintenanceWindows/${ids.absent}`, 'GROUP_NOT_FOUND'),
      notThere(`${group}/maintenanceWindows/${ids.absent}`, 'MAINTENANCE_WINDOW_NOT_FOUND'),
    ],
    refused: notPermitted(keys.stranger, 'NOT_IN_GROUP'),
  },
  inProject(16, 'GET', `/hosts/${ids.host}/disks`, {
    answers: 'list',
    missing: [notThere(`${group}/hosts/${ids.absent}/disks`, 'HOST_NOT_FOUND')],
  }),
  inProject(17, 'GET', '/integrations', { answers: 'list' }),
  inProject(18, 'DELETE', '/integrations/PAGING', {
    status: 204,
    answers: 'nothing',
    missing: [notThere(`${group}/integrations/CHAT_B`, 'INTEGRATION_NOT_FOUND')],
  }),
  inOrganization(19, 'GET', '/events', { answers: 'list', refused: notPermitted(keys.reader) }),
  inProject(20, 'GET', `/events/${ids.event}`, {
    answers: 'one',
    missing: [notThere(`${group}/events/${ids.absent}`, 'EVENT_NOT_FOUND')],
    refused: notPermitted(keys.member),
  }),
  inOrganization(21, 'GET', `/events/${ids.event}`, {
    answers: 'one',
    missing: [notThere(`${org}/events/${ids.absent}`, 'EVENT_NOT_FOUND')],
    refused: notPermitted(keys.reader),
  }),
]
