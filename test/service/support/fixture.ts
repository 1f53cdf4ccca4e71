import type { Key } from './digest.ts'

export const ids = {
  org: '5980cfdf0b6d97029d82f86e',
  otherOrg: '5980cfdf0b6d97029d82f86f',
  project: '5c8100bcf2a30b12ff88258f',
  otherProject: '5c8100bcf2a30b12ff882590',
  ciKey: '5c47503320eef5699e1cce8d',
  reportingKey: '5c47503320eef5699e1cce8f',
  config: '5d1113b25a115342acc2d1aa',
  metricConfig: '5d1113b25a115342acc2d1ab',
  host: '680ab316473d6b28f966364b947134fc',
  openAlert: '5d1113b25a115342acc2d2aa',
  globalAlert: '5d1113b25a115342acc2d3aa',
  event: '5dc9000000000000000000aa',
  sam: '5d2e1f0a9b8c7d6e5f4a3b2c',
  dana: '5d2e1f0a9b8c7d6e5f4a3b2d',
  absent: 'ffffffffffffffffffffffff',
} as const

const owner = { roleName: 'ORG_OWNER', orgId: ids.org }

type KeyName = 'ci' | 'reader' | 'stranger' | 'member' | 'monitor' | 'root' | 'sam' | 'dana'

/** Keys, named after their rights or owners. */
export const keys: Readonly<Record<KeyName, Key>> = {
  ci: { publicKey: 'ciadmin', privateKey: '9d2c2a3e-1111-4222-8333-db2c132ca78d' },
  /** Has project roles only. */
  reader: { publicKey: 'reader', privateKey: '11111111-1111-4222-8333-111111111111' },
  /** Belongs to the other organization. */
  stranger: { publicKey: 'stranger', privateKey: '22222222-1111-4222-8333-222222222222' },
  /** Is a member of the organization and owns nothing. */
  member: { publicKey: 'member', privateKey: '33333333-1111-4222-8333-333333333333' },
  monitor: { publicKey: 'monitor', privateKey: '44444444-1111-4222-8333-444444444444' },
  root: { publicKey: 'root', privateKey: '55555555-1111-4222-8333-555555555555' },
  sam: { publicKey: 'sampersonal', privateKey: '66666666-1111-4222-8333-666666666666' },
  dana: { publicKey: 'danapersonal', privateKey: '77777777-1111-4222-8333-777777777777' },
}

const apiKeys = [
  {
    id: ids.ciKey,
    desc: 'CI',
    ...keys.ci,
    roles: [owner],
    accessList: [
      { cidrBlock: '192.0.2.0/24' },
      { ipAddress: '198.51.100.7', cidrBlock: '198.51.100.7/32', count: 3 },
    ],
  },
  {
    id: ids.reportingKey,
    desc: 'Reporting',
    ...keys.reader,
    roles: [{ roleName: 'GROUP_READ_ONLY', groupId: ids.project }],
  },
  { ...keys.member, roles: [{ roleName: 'ORG_MEMBER', orgId: ids.org }] },
  { ...keys.monitor, roles: [{ roleName: 'GLOBAL_MONITORING_ADMIN' }] },
  { ...keys.root, roles: [{ roleName: 'GLOBAL_OWNER' }] },
]

const emailEveryFive = { typeName: 'EMAIL', delayMin: 5, intervalMin: 10, emailAddress: 'ops@example.com' }

const project = {
  id: ids.project,
  orgId: ids.org,
  name: 'payments',
  alertConfigs: [
    {
      id: ids.config,
      eventTypeName: 'HOST_DOWN',
      enabled: true,
      created: '2026-01-01T00:00:00Z',
      matchers: [{ fieldName: 'HOSTNAME', operator: 'EQUALS', value: 'db1.example.com' }],
      notifications: [emailEveryFive],
    },
    {
      id: ids.metricConfig,
      eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
      enabled: true,
      metricThreshold: {
        metricName: 'CONNECTIONS',
        mode: 'AVERAGE',
        operator: 'GREATER_THAN',
        threshold: 0,
        units: 'RAW',
      },
      notifications: [
        { typeName: 'CHAT_A', apiToken: 'chat-a-token-0123456789', channelName: 'ops' },
        { typeName: 'WEBHOOK', delayMin: 2 },
      ],
    },
  ],
  alerts: [
    {
      id: ids.openAlert,
      alertConfigId: ids.config,
      status: 'OPEN',
      hostId: ids.host,
      humanReadable: 'Host is down',
    },
    { alertConfigId: ids.config, status: 'TRACKING' },
    { alertConfigId: ids.config, status: 'CLOSED', resolved: '2026-01-02T00:00:00Z' },
    { alertConfigId: ids.config, status: 'CANCELLED' },
  ],
  hosts: [
    {
      id: ids.host,
      hostname: 'db1.example.com',
      port: 27017,
      replicaSetName: 'rs0',
      disks: [{ partitionName: 'xvda' }, { partitionName: 'xvdb' }],
    },
  ],
  agents: [
    { typeName: 'MONITORING', hostname: 'db1.example.com', pingCount: 7 },
    { typeName: 'BACKUP', hostname: 'db1.example.com', tag: 'nightly' },
    { typeName: 'AUTOMATION', hostname: 'db1.example.com' },
  ],
  automationStatus: {
    goalVersion: 29,
    processes: [{ name: 'db1', plan: ['Download'], lastGoalVersionAchieved: 28 }],
  },
  integrations: [
    { type: 'PAGING', serviceKey: 'paging-service-key-0123456789' },
    { type: 'WEBHOOK', url: 'https://hooks.example.com/very/secret?token=hidden', secret: 'webhook-secret' },
    { type: 'CHAT_C', chatCWebhookUrl: 'https://user:pass@chat.example.com/hook/secret' },
  ],
  events: [
    {
      id: ids.event,
      eventTypeName: 'ALERT_CONFIG_ADDED_AUDIT',
      created: '2026-01-01T00:00:00Z',
      alertConfigId: ids.config,
      raw: { note: 'extra' },
      diffs: [{ id: 'x', name: null, params: [], status: 'NEW', type: 'PROCESS' }],
    },
  ],
}

/** A fixture with something for every endpoint to return. */
export const fixture = {
  organizations: [
    { id: ids.org, name: 'Acme', apiKeys },
    { id: ids.otherOrg, name: 'Other', apiKeys: [{ ...keys.stranger }] },
  ],
  projects: [project, { id: ids.otherProject, orgId: ids.otherOrg, name: 'other' }],
  users: [
    {
      id: ids.sam,
      username: 'sam@example.com',
      roles: [owner],
      accessList: [
        { ipAddress: '203.0.113.5', cidrBlock: '203.0.113.5/32', created: '2026-01-01T00:00:00Z' },
        { cidrBlock: '203.0.113.0/24' },
      ],
      apiKeys: [keys.sam],
    },
    {
      id: ids.dana,
      username: 'dana@example.com',
      roles: [
        { roleName: 'ORG_MEMBER', orgId: ids.org },
        { roleName: 'GROUP_READ_ONLY', groupId: ids.project },
        { roleName: 'ORG_MEMBER', orgId: ids.otherOrg },
      ],
      apiKeys: [keys.dana],
    },
  ],
  globalAlerts: [
    { id: ids.globalAlert, eventTypeName: 'BACKUP_AGENT_DOWN', status: 'OPEN', humanReadable: 'never shown' },
  ],
}
