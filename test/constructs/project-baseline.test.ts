import {
  AlertConfiguration,
  Integration,
  MaintenanceWindow,
  ProjectBaseline,
  User,
  type Baseline,
} from '@deploymgmt/constructs'
import { Testing, TerraformStack } from 'cdktf'
import { expect, test } from 'vitest'
import { declared, refusal } from './support/declared.ts'

const projectId = '5c8100bcf2a30b12ff88258f'
const baseline = {
  alerts: {
    hostDown: { select: { eventTypeName: 'HOST_DOWN' }, enabled: true },
    connections: { select: { metricName: 'CONNECTIONS' }, enabled: true },
  },
  windows: {
    patching: {
      alertTypeNames: ['HOST'],
      rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=4;BYMINUTE=0;BYSECOND=0',
      timezone: 'Europe/Madrid',
      duration: 'PT2H',
      from: '2026-03-15',
      until: '2026-03-30',
    },
  },
  integrations: { present: ['PAGING'], absent: ['CHAT_A'] },
  agents: ['MONITORING', 'BACKUP'],
} satisfies Baseline

const countIn = ({ resources, data }: ReturnType<typeof declared>): Record<string, number> =>
  Object.fromEntries(
    Object.entries({ ...resources, ...data }).map(([type, things]) => [type, Object.keys(things).length]),
  )

test('declares all of the baseline for the project', () => {
  const all = declared((stack) => new ProjectBaseline(stack, 'payments', { projectId, baseline }))
  expect(countIn(all)).toEqual({
    deploymgmt_alert_configuration: 2,
    deploymgmt_maintenance_window: 3,
    deploymgmt_integration: 2,
    deploymgmt_agents: 2,
  })
  expect(Testing.toHaveDataSourceWithProperties(all.text, 'deploymgmt_agents', { type: 'BACKUP' })).toBe(true)
})

test('declares what the project has otherwise', () => {
  const { text } = declared(
    (stack) =>
      new ProjectBaseline(stack, 'search', {
        projectId,
        baseline,
        overrides: {
          alerts: { connections: { enabled: false }, hostDown: null },
          windows: { patching: { timezone: 'America/New_York' } },
          integrations: { absent: ['WEBHOOK'] },
          agents: [],
        },
      }),
  )
  const has = (type: string, properties: object): boolean =>
    Testing.toHaveResourceWithProperties(text, type, properties)
  const alert = AlertConfiguration.tfResourceType
  expect(has(alert, { select: { metric_name: 'CONNECTIONS' }, enabled: false })).toBe(true)
  expect(has(alert, { select: { event_type_name: 'HOST_DOWN' } })).toBe(false)
  expect(has(MaintenanceWindow.tfResourceType, { start_date: '2026-03-22T08:00:00Z' })).toBe(true)
  expect(has(Integration.tfResourceType, { type: 'PAGING', ensure: 'present' })).toBe(true)
  expect(has(Integration.tfResourceType, { type: 'WEBHOOK', ensure: 'absent' })).toBe(true)
  expect(has(Integration.tfResourceType, { type: 'CHAT_A' })).toBe(false)
  expect(Testing.toHaveDataSource(text, 'deploymgmt_agents')).toBe(false)
})

test('takes a whole part out', () => {
  const overrides = { windows: { patching: null }, integrations: null, agents: [] } as const
  const some = declared((stack) => new ProjectBaseline(stack, 'ledger', { projectId, baseline, overrides }))
  expect(countIn(some)).toEqual({ deploymgmt_alert_configuration: 2 })
})

test('declares the people of the project', () => {
  const { text } = declared(
    (stack) =>
      new ProjectBaseline(stack, 'payments', {
        projectId,
        baseline: {},
        team: {
          orgId: '5980cfdf0b6d97029d82f86e',
          users: { sam: { userId: '5d2e1f0a9b8c7d6e5f4a3b2c', rolesComplete: true } },
          roles: { sam: { organization: ['ORG_MEMBER'], project: ['GROUP_OWNER'] } },
        },
      }),
  )
  const roles = [
    { role_name: 'ORG_MEMBER', org_id: '5980cfdf0b6d97029d82f86e' },
    { role_name: 'GROUP_OWNER', project_id: projectId },
  ]
  expect(Testing.toHaveResourceWithProperties(text, User.tfResourceType, { roles })).toBe(true)
})

test('gives what it declares', () => {
  const stack = new TerraformStack(Testing.app(), 'acme')
  const payments = new ProjectBaseline(stack, 'payments', {
    projectId,
    baseline,
    clock: () => new Date('2026-03-20T00:00:00Z'),
  })
  expect(payments.windows['patching']?.windows.map(({ node }) => node.path)).toEqual([
    'acme/payments/windows/patching/20260322T030000Z',
    'acme/payments/windows/patching/20260329T020000Z',
  ])
  expect(payments.agents.BACKUP?.node.path).toBe('acme/payments/agents/BACKUP')
  expect(payments.agents.AUTOMATION).toBeUndefined()
})

test.each<[string, object, string]>([
  [
    'an override of what is not there',
    { overrides: { alerts: { hostDwn: null } } },
    'acme/payments: overrides.alerts.hostDwn: the baseline has no "hostDwn"; did you mean hostDown?',
  ],
  [
    'an agent type that is none',
    { overrides: { agents: ['MONITOR'] } },
    'acme/payments: agents[0]: "MONITOR" is not a valid agent type',
  ],
  ['nothing', { baseline: {} }, 'acme/payments: baseline: nothing is left in it'],
  ['no project', { projectId: '' }, 'acme/payments: projectId: an id is needed'],
  [
    'a mistake in a part, by the path of the part',
    { overrides: { windows: { patching: { timezone: 'Madrid' } } } },
    'acme/payments/windows/patching: timezone: "Madrid" is not an IANA time zone',
  ],
])('refuses %s', (_, changes, message) => {
  const declare = (stack: TerraformStack): unknown =>
    new ProjectBaseline(stack, 'payments', { projectId, baseline, ...changes })
  expect(refusal(declare)).toContain(message)
})
