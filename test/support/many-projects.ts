import { CI, ORG } from './installation.ts'

export const MANY = 20
const two = (count: number): string => String(count).padStart(2, '0')
export const projectId = (index: number): string => `5c8100bcf2a30b12ff88${two(index)}a0`
const projectName = (index: number): string => `team-${two(index)}`

/** What no file and no output may contain. */
export const CANARIES = ['canary-serve', 'canary-token', 'canary-hook', 'canary-chat', CI.privateKey]

const TYPES = [
  'HOST_DOWN',
  'REPLICA_SET',
  'BACKUP',
  'MONITORING_AGENT_DOWN',
  'BACKUP_AGENT_DOWN',
  'SHARDED_CLUSTER',
]
const METRICS = ['CONNECTIONS', 'OPCOUNTER_CMD', 'CACHE_DIRTY_BYTES', 'RESTARTS_IN_LAST_HOUR']
const PAGED = [
  { typeName: 'PAGING', serviceKey: 'canary-serve-0001', delayMin: 0 },
  {
    typeName: 'WEBHOOK',
    webhookUrl: 'https://hooks.example.com/canary-hook-2',
    webhookSecret: 'canary-hook-3',
  },
  { typeName: 'CHAT_A', apiToken: 'canary-token-0002', channelName: 'alerts' },
]

/** 25 alert configurations: one each of most types, several of one type, and metrics with thresholds. */
const configsOf = (project: number): object[] => {
  const id = (index: number): string => `5d1113b25a11${two(project)}5342ac${two(index)}f0`
  const plain = TYPES.map((eventTypeName, index) => ({
    eventTypeName,
    // Three projects are exceptions.
    enabled: !(eventTypeName === 'BACKUP' && project < 3),
    notifications: index === 1 ? [] : PAGED,
  }))
  const hosts = ['db1', 'db2', 'db3'].map((value, index) => ({
    eventTypeName: 'DATA_EXPLORER',
    enabled: index === 0,
    matchers: [
      { fieldName: 'HOSTNAME', operator: 'EQUALS', value: index === 2 ? '${HOST}: "x"\n# y' : value },
    ],
    notifications: PAGED,
  }))
  const metrics = Array.from({ length: 16 }, (_, index) => ({
    eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
    enabled: index % 4 !== 3,
    metricThreshold: {
      metricName: METRICS[index % 4],
      mode: 'AVERAGE',
      operator: 'GREATER_THAN',
      threshold: 100 * (index + 1),
      units: 'RAW',
    },
    notifications: PAGED,
  }))
  return [...plain, ...hosts, ...metrics].map((config, index) => ({
    id: id(index),
    created: '2026-03-02T08:00:00Z',
    ...config,
  }))
}

const integrationsOf = (project: number): object[] => [
  { type: 'PAGING', serviceKey: 'canary-serve-0003' },
  { type: 'WEBHOOK', url: 'https://hooks.example.com/canary-hook-4', secret: 'canary-hook-5' },
  project === 0
    ? {
        type: 'METRICS_SCRAPER',
        username: 'scraper',
        listenAddress: '0.0.0.0:9216',
        serviceDiscovery: 'http',
        scheme: 'http',
        enabled: false,
      }
    : { type: 'CHAT_A', apiToken: 'canary-chat-0006', teamName: 'x', channelName: 'alerts' },
]

const event = (index: number, more: object): object => ({
  id: `5dc9f1a2b3c4d5e6f70819${two(index)}`,
  created: `2026-11-0${(index % 9) + 1}T09:12:00Z`,
  orgId: ORG,
  ...more,
})
export const WINDOW = '5dd0f1a2b3c4d5e6f7081901'
export const OVER = '5dd0f1a2b3c4d5e6f7081902'
export const SAM = '5d2e1f0a9b8c7d6e5f4a3b2c'
const by = { apiKeyId: '5c47503320eef5699e1cce8d', publicKey: CI.publicKey, remoteAddress: '192.0.2.8' }

/** Windows, users and keys that only events tell of. */
const EVENTS = [
  event(1, {
    ...by,
    eventTypeName: 'MAINTENANCE_WINDOW_ADDED_AUDIT',
    maintenanceWindowId: WINDOW,
    groupId: projectId(1),
    raw: {
      startDate: '2036-01-01T00:00:00Z',
      endDate: '2036-01-02T00:00:00Z',
      alertTypeNames: ['HOST'],
      secret: 'canary-token-0009',
    },
  }),
  event(2, {
    ...by,
    eventTypeName: 'MAINTENANCE_WINDOW_ADDED_AUDIT',
    maintenanceWindowId: OVER,
    groupId: projectId(1),
    raw: { startDate: '2020-01-01T00:00:00Z', endDate: '2020-01-02T00:00:00Z', alertTypeNames: ['HOST'] },
  }),
  event(3, { ...by, eventTypeName: 'USER_ROLES_CHANGED_AUDIT', targetUsername: 'sam@example.com' }),
  event(4, {
    userId: SAM,
    username: 'sam@example.com',
    eventTypeName: 'ALERT_CONFIG_CHANGED_AUDIT',
    groupId: projectId(2),
  }),
  event(5, {
    ...by,
    eventTypeName: 'USER_ROLES_CHANGED_AUDIT',
    targetUsername: 'dana@example.com\n  evil: {}',
  }),
  event(6, {
    apiKeyId: '5c47503320eef5699e1cce8f',
    publicKey: 'reporter',
    eventTypeName: 'API_KEY_USED',
    groupId: projectId(2),
  }),
  event(7, { ...by, eventTypeName: 'API_KEY_ROLES_CHANGED', targetPublicKey: 'nightly' }),
]

export const manyProjects = (): object => ({
  organizations: [
    {
      id: ORG,
      name: 'Acme',
      apiKeys: [
        { id: '5c47503320eef5699e1cce8d', desc: 'CI', ...CI, roles: [{ roleName: 'ORG_OWNER', orgId: ORG }] },
        {
          id: '5c47503320eef5699e1cce8f',
          desc: 'Reporter',
          publicKey: 'reporter',
          privateKey: '7a6b5c4d-canary-0003',
          roles: [{ roleName: 'ORG_READ_ONLY', orgId: ORG }],
          accessList: [{ cidrBlock: '192.0.2.0/24' }],
        },
      ],
      events: EVENTS,
    },
  ],
  projects: Array.from({ length: MANY }, (_, index) => ({
    id: projectId(index),
    orgId: ORG,
    name: projectName(index),
    alertConfigs: configsOf(index),
    integrations: integrationsOf(index),
  })),
})

export const manyManifest = (more = ''): string =>
  [
    'version: 1',
    'name: test',
    `defaults: { orgId: ${ORG} }`,
    'projects:',
    ...Array.from({ length: MANY }, (_, index) => `  ${projectName(index)}: { id: ${projectId(index)} }`),
    more,
  ].join('\n')
