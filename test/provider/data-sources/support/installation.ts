import type { DataSourceDefinition } from '@deploymgmt/provider/core'

/** An installation in which every data source finds something, in the format of a fixture. */
export const orgId = '5980cfdf0b6d97029d82f86e'
export const projectId = '5c8100bcf2a30b12ff88258f'
export const userId = '5d2e1f0a9b8c7d6e5f4a3b2c'
export const hostId = '680ab316473d6b28f966364b947134fc'
export const apiKeyId = '5c47503320eef5699e1cce8d'
export const alertId = '5d1f2a3b4c5d6e7f8091a2b3'
export const globalAlertId = '5d1f2a3b4c5d6e7f8091a2b4'
export const alertConfigId = '5d1113b25a115342acc2d1aa'
export const organizationEventId = '5dc9f1a2b3c4d5e6f7081920'
export const projectEventId = '5dc9f1a2b3c4d5e6f7081921'

/** The key of the organization, and the personal key of the user: endpoint 13 only answers the latter. */
export const organizationKey = { publicKey: 'ciadmin', privateKey: '9d2c2a3e-5f0b-4c1d-8e2f-db2c132ca78d' }
export const personalKey = { publicKey: 'sampersonal', privateKey: '1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b' }

/** Secrets of integrations; none of them may be shown. */
export const secrets = [
  'paging-canary-0123456789',
  'chat-canary-0123456789',
  'saas-canary-0123456789',
  'hook-canary-0123456789',
  'pem-canary-0123456789',
] as const
const [paging, chat, saas, hook, pem] = secrets

const alert = (id: string, status: string) => ({
  id,
  alertConfigId,
  status,
  eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
  created: '2026-10-01T00:00:00Z',
  updated: '2026-10-01T00:10:00Z',
  hostId,
  hostnameAndPort: 'db1.example.com:27017',
  metricName: 'CONNECTIONS',
  currentValue: { number: 0, units: 'RAW' },
  tags: ['production'],
})

const configuration = {
  id: alertConfigId,
  enabled: true,
  eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
  matchers: [{ fieldName: 'HOSTNAME', operator: 'EQUALS', value: 'db1.example.com' }],
  metricThreshold: {
    metricName: 'CONNECTIONS',
    mode: 'AVERAGE',
    operator: 'LESS_THAN',
    threshold: 0,
    units: 'RAW',
  },
  notifications: [
    {
      typeName: 'GROUP',
      delayMin: 5,
      intervalMin: 60,
      emailEnabled: true,
      smsEnabled: false,
      roles: ['GROUP_OWNER'],
    },
    { typeName: 'PAGING', delayMin: 0, intervalMin: 5, serviceKey: paging },
    { typeName: 'CHAT_A', delayMin: 0, apiToken: chat, channelName: 'alerts' },
    {
      typeName: 'WEBHOOK',
      delayMin: 0,
      webhookUrl: `https://hooks.example.com/${hook}`,
      webhookSecret: hook,
    },
  ],
}

const events = Array.from({ length: 1203 }, (_, index) => ({
  id: (0x5dc9_0000 + index).toString(16).padEnd(24, '0'),
  eventTypeName: index % 2 === 0 ? 'USER_CREATED_AUDIT' : 'INVITED_TO_ORG',
  created: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
  username: 'sam@example.com',
}))

export const installation = {
  organizations: [
    {
      id: orgId,
      name: 'Acme',
      apiKeys: [
        {
          id: apiKeyId,
          desc: 'CI',
          ...organizationKey,
          roles: [{ roleName: 'ORG_OWNER', orgId }, { roleName: 'GLOBAL_OWNER' }],
          accessList: [
            { cidrBlock: '192.0.2.0/24', ipAddress: null },
            { cidrBlock: '127.0.0.1/32', ipAddress: '127.0.0.1' },
          ],
        },
      ],
      events: [
        ...events,
        {
          id: organizationEventId,
          eventTypeName: 'API_KEY_ROLES_CHANGED',
          created: '2026-11-02T09:12:00Z',
          apiKeyId,
          publicKey: organizationKey.publicKey,
          targetPublicKey: 'reporting',
          raw: { note: 'not a contract' },
        },
      ],
    },
  ],
  projects: [
    {
      id: projectId,
      orgId,
      name: 'payments',
      alertConfigs: [configuration],
      alerts: [
        alert(alertId, 'OPEN'),
        alert('5d1f2a3b4c5d6e7f8091a2c1', 'CLOSED'),
        alert('5d1f2a3b4c5d6e7f8091a2c2', 'CANCELLED'),
      ],
      hosts: [
        {
          id: hostId,
          hostname: 'db1.example.com',
          port: 27017,
          disks: [{ partitionName: 'xvda' }, { partitionName: 'xvdb' }],
        },
      ],
      agents: [
        {
          typeName: 'MONITORING',
          hostname: 'db1.example.com',
          stateName: 'ACTIVE',
          confCount: 3,
          pingCount: 7,
        },
        {
          typeName: 'BACKUP',
          hostname: 'db1.example.com',
          stateName: 'STANDBY',
          isManaged: true,
          tag: 'night',
        },
      ],
      automationStatus: {
        goalVersion: 29,
        processes: [
          {
            name: 'db1',
            hostname: 'db1.example.com',
            lastGoalVersionAchieved: 28,
            plan: ['Download', 'Start'],
          },
        ],
      },
      integrations: [
        { type: 'PAGING', serviceKey: paging },
        { type: 'CHAT_A', apiToken: chat, teamName: 'ops', channelName: '' },
        { type: 'MONITORING_SAAS', apiKey: saas },
        { type: 'WEBHOOK', url: `https://hooks.example.com/${hook}`, secret: hook },
        {
          type: 'METRICS_SCRAPER',
          username: 'scraper',
          listenAddress: '0.0.0.0:9216',
          serviceDiscovery: 'file',
          scheme: 'https',
          enabled: true,
          tlsPemPath: '/etc/scraper.pem',
          tlsPemPassword: pem,
        },
      ],
      maintenanceWindows: [],
      events: [
        {
          id: projectEventId,
          eventTypeName: 'ALERT_CONFIG_DISABLED_AUDIT',
          created: '2026-11-03T09:12:00Z',
          alertConfigId,
          username: 'sam@example.com',
          userId,
          diffs: [
            {
              id: 'db1',
              name: null,
              status: 'MODIFIED',
              type: 'PROCESS',
              params: [{ display: 'Port', param: 'port', old: '27017', new: '27018' }],
            },
          ],
          raw: { note: 'not a contract' },
        },
      ],
    },
  ],
  users: [
    {
      id: userId,
      username: 'sam@example.com',
      roles: [{ roleName: 'ORG_OWNER', orgId }],
      accessList: [
        { ipAddress: '203.0.113.5', cidrBlock: '203.0.113.5/32', count: 0, created: '2026-01-01T00:00:00Z' },
      ],
      apiKeys: [personalKey],
    },
  ],
  globalAlerts: [{ ...alert(globalAlertId, 'OPEN'), alertConfigId: '5d1113b25a115342acc2d1bb' }],
}

/** Existing values by the name of the argument; a few data sources mean something else by a name. */
const values: Readonly<Record<string, unknown>> = {
  orgId,
  projectId,
  userId,
  hostId,
  apiKeyId,
  alertId,
  alertConfigId,
  type: 'BACKUP',
  accessListEntry: '203.0.113.5',
  eventId: organizationEventId,
}
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  global_alert: { alertId: globalAlertId },
  project_event: { eventId: projectEventId },
}

/** Arguments with which a data source finds something. */
export const placesOf = ({ name, arguments: all }: DataSourceDefinition): Record<string, string> => {
  const named = Object.keys(all).filter((argument) => all[argument]?.part === 'name')
  return Object.fromEntries(
    named.map((argument) => [argument, String({ ...values, ...others[name] }[argument])]),
  )
}
