import { fixtureWith, ORG } from '../../support/installation.ts'
import { only } from '../../support/scene.ts'
import type { Does } from './fault-rows.ts'

/** One request of one kind, for which a fault can be set. */
export interface Cell {
  readonly name: string
  readonly does: Does
  readonly method: string
  /** A regular expression for the path. */
  readonly path: string
  /** Applied before the fault is set. */
  readonly before?: string
  readonly declared: string
}

const user = (...roles: string[]): string =>
  only(
    'users',
    `  dana: { username: dana@example.com, emailAddress: dana@example.com, firstName: Dana, lastName: Reyes, mobileNumber: "2125550198", password: { env: DANA_INITIAL_PASSWORD }, roles: [${roles.map((name) => `{ roleName: ${name}, orgId: ${ORG} }`).join(', ')}] }`,
  )
const window = (name: string, description: string): string =>
  `  ${name}: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: ${description} }\n`
const windows = (...all: string[]): string => only('maintenanceWindows', all.join(''))
const KEY = only(
  'apiKeys',
  '  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting, roles: [ORG_MEMBER], accessList: [192.0.2.0/24, 198.51.100.7] }',
)
const SELECTED = only(
  'alertConfigurations',
  '  down: { select: { eventTypeName: HOST_DOWN }, enabled: true }',
)
const NAMED = only(
  'alertConfigurations',
  '  noisy: { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: false }',
)
const ABSENT = only('integrations', '  old-chat: { type: CHAT_A, ensure: absent }')
const EVENTS = '^/orgs/\\w+/events'

/** All requests of every kind; events are read where no endpoint shows the thing. */
export const cells: readonly Cell[] = [
  { name: 'API key: its access list (1)', does: 'read', method: 'GET', path: 'accessList', declared: KEY },
  { name: 'API key: PATCH (2)', does: 'change', method: 'PATCH', path: 'apiKeys', declared: KEY },
  {
    name: 'API key: events (19)',
    does: 'read',
    method: 'GET',
    path: EVENTS,
    before: KEY,
    declared: KEY.replace('desc: Reporting', 'desc: Other'),
  },
  {
    name: 'user: POST (11)',
    does: 'user',
    method: 'POST',
    path: '^/users',
    declared: user('ORG_MEMBER'),
  },
  {
    name: 'user: PATCH (9)',
    does: 'change',
    method: 'PATCH',
    path: '^/users',
    before: user('ORG_MEMBER'),
    declared: user('ORG_READ_ONLY'),
  },
  {
    name: 'user: events (19)',
    does: 'read',
    method: 'GET',
    path: EVENTS,
    before: user('ORG_MEMBER'),
    declared: user('ORG_READ_ONLY'),
  },
  {
    name: 'alert configuration: list (5)',
    does: 'list',
    method: 'GET',
    path: 'alertConfigs',
    declared: SELECTED,
  },
  {
    name: 'alert configuration: one (7)',
    does: 'read',
    method: 'GET',
    path: 'alertConfigs/',
    declared: NAMED,
  },
  {
    name: 'alert configuration: PATCH (3)',
    does: 'change',
    method: 'PATCH',
    path: 'alertConfigs',
    declared: NAMED,
  },
  {
    name: 'window: POST (14)',
    does: 'window',
    method: 'POST',
    path: 'maintenanceWindows',
    before: windows(window('first', 'one')),
    declared: windows(window('first', 'one'), window('second', 'two')),
  },
  {
    name: 'window: PATCH (15)',
    does: 'change',
    method: 'PATCH',
    path: 'maintenanceWindows',
    before: windows(window('first', 'one')),
    declared: windows(window('first', 'changed')),
  },
  {
    name: 'window: events (19)',
    does: 'read',
    method: 'GET',
    path: EVENTS,
    before: windows(window('first', 'one')),
    declared: windows(window('first', 'changed')),
  },
  { name: 'integration: list (17)', does: 'read', method: 'GET', path: 'integrations', declared: ABSENT },
  {
    name: 'integration: DELETE (18)',
    does: 'deletion',
    method: 'DELETE',
    path: 'integrations',
    declared: ABSENT,
  },
]

const idOf = (n: number): string => `5d1113b25a1153420000${n.toString(16).padStart(4, '0')}`

/** A fixture with lists of more than one page, where that is possible. */
export const manyPages = (): object => {
  return fixtureWith({
    alertConfigs: [
      { id: '5d1113b25a115342acc2d0f3', eventTypeName: 'HOST_DOWN', enabled: false },
      { id: '5d1113b25a115342acc2d1aa', eventTypeName: 'REPLICA_SET', enabled: true },
      ...Array.from({ length: 600 }, (_, n) => ({ id: idOf(n), eventTypeName: 'NO_PRIMARY' })),
    ],
  })
}
