import { expect, test } from 'vitest'
import { loadText } from './support/manifests.ts'

const WINDOW = `  weekly-patching:
    alertTypeNames: [HOST]
    schedule: { rrule: "FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=0;BYSECOND=0", timezone: Europe/Madrid, duration: PT2H, horizon: P30D }
`
const EXAMPLE = `version: 1
name: acme-production            # which declaration this is; recorded in the state
variables:
  country: { description: Where the team sleeps, default: Madrid }
projects:                        # names and organizations of projects: no endpoint tells them
  payments: { id: 5c8100bcf2a30b12ff88258f, orgId: 5980cfdf0b6d97029d82f86e }
defaults:                        # any entry may override them
  orgId: 5980cfdf0b6d97029d82f86e
  projectId: \${projects.payments.id}

apiKeys:
  reporting:
    apiKeyId: 5c47503320eef5699e1cce8f
    desc: Reporting pipeline
    roles: [ORG_MEMBER]
    accessList: [192.0.2.0/24, 198.51.100.7]     # compared, never changed: there is no write endpoint

users:
  dana:
    username: dana@example.com          # creation fields; or userId with rolesComplete: true, to adopt
    emailAddress: dana@example.com
    firstName: Dana
    lastName: Reyes
    mobileNumber: "2125550198"
    password: { env: DANA_INITIAL_PASSWORD }     # or { file: path }; read only when a creation is planned
    roles:
      - { roleName: ORG_MEMBER, orgId: 5980cfdf0b6d97029d82f86e }
      - { roleName: GROUP_READ_ONLY, projectId: 5c8100bcf2a30b12ff88258f }

alertConfigurations:
  host-down: { select: { eventTypeName: HOST_DOWN }, enabled: true }      # every configuration that matches
  noisy: { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: false, onRemove: restore }

maintenanceWindows:
  migration:
    alertTypeNames: [HOST, REPLICA_SET]
    startDate: 2026-12-05T02:00:00Z
    endDate: 2026-12-05T04:00:00Z
    description: Storage migration
${WINDOW}
integrations:
  paging: { type: PAGING, ensure: present }
  old-chat: { type: CHAT_A, ensure: absent }
  nothing-else: { only: [PAGING, WEBHOOK] }      # any other deletable type found is deleted; none of these is demanded
`

test('the example of the contract loads, but for the recurring window', async () => {
  const { declaration, warnings, variables } = await loadText(EXAMPLE.replace(WINDOW, ''))
  expect(warnings).toEqual([])
  expect(variables).toEqual({ country: 'Madrid' })
  expect(declaration.name).toBe('acme-production')
  expect(declaration.entries.map(({ address, onRemove }) => `${address} ${onRemove}`)).toEqual([
    'apiKeys.reporting forget',
    'users.dana forget',
    'alertConfigurations.host-down forget',
    'alertConfigurations.noisy restore',
    'maintenanceWindows.migration end',
    'integrations.paging forget',
    'integrations.old-chat forget',
    'integrations.nothing-else forget',
  ])
})

test('a window keeps its instants as they are written, and its place', async () => {
  const { declaration } = await loadText(EXAMPLE.replace(WINDOW, ''))
  expect(declaration.entries.find(({ kind }) => kind === 'maintenance_window')).toEqual({
    kind: 'maintenance_window',
    address: 'maintenanceWindows.migration',
    values: {
      projectId: '5c8100bcf2a30b12ff88258f',
      alertTypeNames: ['HOST', 'REPLICA_SET'],
      startDate: '2026-12-05T02:00:00Z',
      endDate: '2026-12-05T04:00:00Z',
      description: 'Storage migration',
    },
    onRemove: 'end',
    protect: false,
    ignoreChanges: [],
    declaredAt: { file: 'deploymgmt.yaml', line: 35, column: 3 },
  })
})

test('organizations and names of projects come from what the manifest says of them', async () => {
  const { declaration } = await loadText(EXAMPLE.replace(WINDOW, ''))
  expect([...declaration.organizations]).toEqual([['5c8100bcf2a30b12ff88258f', '5980cfdf0b6d97029d82f86e']])
  expect([...declaration.projectNames]).toEqual([['5c8100bcf2a30b12ff88258f', 'payments']])
  expect(declaration.orgIds).toEqual(['5980cfdf0b6d97029d82f86e'])
})

test('a recurring window keeps its schedule, and has no instants of its own', async () => {
  const { declaration } = await loadText(EXAMPLE)
  const entry = declaration.entries.find(({ address }) => address === 'maintenanceWindows.weekly-patching')
  expect(entry?.values).toEqual({
    projectId: '5c8100bcf2a30b12ff88258f',
    alertTypeNames: ['HOST'],
    schedule: {
      rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=0;BYSECOND=0',
      timezone: 'Europe/Madrid',
      duration: 'PT2H',
      horizon: 'P30D',
    },
  })
})

test('the same in JSON says the same', async () => {
  const manifest = {
    version: 1,
    name: 'acme',
    maintenanceWindows: {
      w: {
        projectId: 'p',
        alertTypeNames: ['HOST'],
        startDate: '2026-12-05T02:00:00Z',
        endDate: '2026-12-05T04:00:00+00:00',
      },
    },
  }
  for (const indent of [undefined, 2, '\t']) {
    const { declaration } = await loadText(JSON.stringify(manifest, null, indent))
    expect(declaration.entries[0]?.values).toEqual(manifest.maintenanceWindows.w)
  }
})
