import { ids, keys } from '../../service/support/fixture.ts'
import { GROUP, NOWHERE, ORG, type Refusal, type Refusals } from './refusal.ts'

const reading = (path: string, status = 404): Refusal => ({ status, ask: ({ call }) => call('GET', path) })

/** Requests for things that do not exist or are not possible. */
export const things: Refusals = {
  ACCESS_LIST_NOT_FOUND: {
    status: 404,
    ask: ({ as }) => as(keys.sam)('GET', `/users/${ids.sam}/accessList/203.0.113.6`),
  },
  ALERT_CONFIG_NOT_FOUND: reading(`${GROUP}/alertConfigs/${ids.absent}`),
  ALERT_NOT_FOUND: reading(`${GROUP}/alerts/${ids.absent}`),
  API_KEY_NOT_FOUND: reading(`${ORG}/apiKeys/${ids.absent}/accessList`, 400),
  EVENT_NOT_FOUND: reading(`${GROUP}/events/${ids.absent}`),
  GROUP_NOT_FOUND: reading(`${NOWHERE}/alerts`),
  HOST_NOT_FOUND: reading(`${GROUP}/hosts/${ids.absent}/disks`),
  INTEGRATION_NOT_FOUND: {
    status: 404,
    ask: ({ call }) => call('DELETE', `${GROUP}/integrations/CHAT_B`),
  },
  INVALID_AGENT_TYPE_NAME: reading(`${GROUP}/agents/OTHER`, 400),
  INVALID_ALERT_CONFIG_ID: reading(`${GROUP}/alertConfigs/x`),
  INVALID_ALERT_ID: reading(`${GROUP}/alerts/x`),
  INVALID_ALERT_STATUS: reading(`${GROUP}/alerts?status=OTHER`, 400),
  INVALID_EVENT_ID: reading(`${GROUP}/events/x`),
  INVALID_GROUP_ID: reading('/groups/x/alerts'),
  INVALID_MAINTENANCE_WINDOW_ID: {
    status: 404,
    ask: ({ call }) => call('PATCH', `${GROUP}/maintenanceWindows/x`, { description: 'Other' }),
  },
  INVALID_ORG_ID: reading('/orgs/x/events'),
  INVALID_USER_ID: { status: 404, ask: ({ call }) => call('PATCH', '/users/x', { roles: [] }) },
  MAINTENANCE_WINDOW_NOT_FOUND: {
    status: 404,
    ask: ({ call }) => call('PATCH', `${GROUP}/maintenanceWindows/${ids.absent}`, { description: 'Other' }),
  },
  ORG_NOT_FOUND: reading(`/orgs/${ids.absent}/events`),
  USER_NOT_FOUND: {
    status: 404,
    ask: ({ call }) => call('PATCH', `/users/${ids.absent}`, { roles: [] }),
  },
}
