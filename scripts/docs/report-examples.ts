import type { DriftDocument, PlanDocument, SaidChange } from '../../reconciler/render/document.ts'
import { formatsOf, rendererOf } from '../../reconciler/render/formats.ts'
import type { ReportStyle } from '../../reconciler/render/reports.ts'

const PAYMENTS = '5c8100bcf2a30b12ff88258f'
const SEARCH = '5c8100bcf2a30b12ff882590'

const about: DriftDocument['about'] = {
  manifest: 'acme-production',
  files: ['deploymgmt.yaml'],
  declared: 6,
  baseUrl: 'https://opsmgr.example.com/api/public/v1.0',
  publicKey: 'ciadmin',
  organizations: ['5980cfdf0b6d97029d82f86e'],
  projects: [
    { id: PAYMENTS, name: 'payments' },
    { id: SEARCH, name: 'search' },
  ],
}

const turnedOff = (name: string, projectId: string): SaidChange => ({
  address: `alertConfigurations.backup[${name}]`,
  kind: 'alert_configuration',
  action: 'update',
  declaredAt: 'deploymgmt.yaml:26:3',
  reasonCode: 'declared-differs',
  reason: 'what is declared differs from what was applied',
  before: { projectId, enabled: true },
  after: { projectId, enabled: false },
  fields: [{ path: 'enabled', before: true, after: false }],
  evidence: { level: 'read' },
  requests: [{ method: 'PATCH', path: `/groups/${projectId}/alertConfigs/5d1113b25a115342acc2d0f3` }],
})

/** A plan with something of most of what one can hold. */
export const planExample: PlanDocument = {
  formatVersion: 1,
  about,
  inSync: false,
  summary: {
    create: 1,
    adopt: 0,
    update: 3,
    delete: 0,
    release: 0,
    moved: 0,
    blocked: 1,
    expired: 0,
    unchanged: 1,
    unverifiable: 0,
  },
  changes: [
    {
      address: 'maintenanceWindows.migration',
      kind: 'maintenance_window',
      action: 'create',
      declaredAt: 'deploymgmt.yaml:31:3',
      reasonCode: 'not-recorded',
      reason: 'declared, not recorded',
      before: null,
      after: { projectId: PAYMENTS },
      fields: [
        { path: 'alertTypeNames', before: null, after: ['HOST', 'REPLICA_SET'] },
        { path: 'startDate', before: null, after: '2026-12-05T02:00:00Z' },
        { path: 'endDate', before: null, after: '2026-12-05T04:00:00Z' },
      ],
      evidence: { level: 'unknown' },
      requests: [{ method: 'POST', path: `/groups/${PAYMENTS}/maintenanceWindows/` }],
    },
    turnedOff('5d1113b25a115342acc2d0f3', PAYMENTS),
    turnedOff('5d1113b25a115342acc2d0f4', PAYMENTS),
    turnedOff('5d1113b25a115342acc2d0f5', SEARCH),
    {
      address: 'integrations.paging',
      kind: 'integration',
      action: 'blocked',
      declaredAt: 'deploymgmt.yaml:43:3',
      reasonCode: 'cannot-create',
      reason: 'declared present, not found; this API has no call to create it',
      byHand: 'By hand: Project payments → Integrations → PAGING, then plan again.',
      before: null,
      after: { projectId: PAYMENTS },
      fields: [],
      evidence: { level: 'read' },
      requests: [],
    },
  ],
  warnings: [],
  requestsSent: 6,
}

/** A drift report with something of most of what one can hold. */
export const driftExample: DriftDocument = {
  formatVersion: 1,
  about,
  inSync: false,
  checkedAt: '2026-11-20T06:00:00Z',
  summary: { 'in-sync': 1, drifted: 1, unverifiable: 1, pending: 0, accepted: 1 },
  resources: [
    {
      address: 'alertConfigurations.noisy',
      kind: 'alert_configuration',
      identity: { projectId: PAYMENTS, alertConfigId: '5d1113b25a115342acc2d0f3' },
      verdict: 'drifted',
      declaredAt: 'deploymgmt.yaml:27:3',
      reasonCode: 'not-as-applied',
      reason: 'live is not what was last applied',
      fields: [{ path: 'enabled', before: false, after: true }],
      evidence: { level: 'read' },
      actor: {
        username: 'dana@example.com',
        remoteAddress: '198.51.100.4',
        at: '2026-11-19T17:40:00Z',
        eventId: '5dd42a80a11b3a0c5f5a1c02',
        eventTypeName: 'ALERT_CONFIG_ENABLED_AUDIT',
        confidence: 'high',
      },
      undo: { command: 'deploymgmt apply --target alertConfigurations.noisy' },
      keep: {
        text: 'set enabled: true at deploymgmt.yaml:27',
        patch: [
          '--- deploymgmt.yaml',
          '+++ deploymgmt.yaml',
          '@@ -29,1 +29,1 @@',
          '-    enabled: false',
          '+    enabled: true',
        ].join('\n'),
      },
    },
    {
      address: 'apiKeys.reporting',
      kind: 'api_key',
      verdict: 'unverifiable',
      declaredAt: 'deploymgmt.yaml:12:3',
      reasonCode: 'no-endpoint-shows-it',
      reason: 'No endpoint shows it. No event about it since.',
      fields: [],
      evidence: { level: 'recorded', since: '2026-11-02T08:00:00Z' },
    },
    {
      address: 'integrations.chat',
      kind: 'integration',
      verdict: 'in-sync',
      declaredAt: 'deploymgmt.yaml:45:3',
      reasonCode: 'as-applied',
      reason: 'live is what was last applied',
      fields: [],
      evidence: { level: 'read' },
    },
  ],
  accepted: [
    {
      address: 'alertConfigurations.disk',
      kind: 'alert_configuration',
      verdict: 'drifted',
      declaredAt: 'deploymgmt.yaml:35:3',
      reasonCode: 'not-as-applied',
      reason: 'live is not what was last applied',
      fields: [{ path: 'enabled', before: true, after: false }],
      evidence: { level: 'read' },
      acceptance: {
        reason: 'the disk is replaced in December',
        until: '2026-12-31',
        at: 'deploymgmt.accepted.yaml:3:5',
      },
    },
  ],
  unmanaged: [
    {
      kind: 'maintenance_window',
      section: 'maintenanceWindows',
      identity: { projectId: PAYMENTS, id: '6b00c3f15d1113b25a115342' },
      what: 'turns off HOST until 2027-11-20',
      seenIn: 'events',
      actor: {
        username: 'sam@example.com',
        at: '2026-11-18T08:00:00Z',
        eventId: '5dd42a80a11b3a0c5f5a1c03',
        eventTypeName: 'MAINTENANCE_WINDOW_CREATED_AUDIT',
        confidence: 'high',
      },
    },
  ],
  toBeSettled: [],
  warnings: [],
  requestsSent: 9,
  exitCode: 2,
}

const STYLE: ReportStyle = { color: false, width: 100, now: new Date('2026-11-20T06:00:00Z') }

/** What a format makes of these examples. */
export const exampleAs = async (report: 'plan' | 'drift', format: string): Promise<string> => {
  if (report === 'drift')
    return (await rendererOf(report, format))({ document: driftExample, head: { projects: 2 } }, STYLE) ?? ''
  const head = { title: 'plan', projects: 2, declared: 6, seconds: 0.31 }
  return (await rendererOf(report, format))({ document: planExample, head }, STYLE) ?? ''
}

/** Those that a page can show. */
export const shownFormats = (report: 'plan' | 'drift'): readonly string[] =>
  formatsOf(report).filter((format) => format !== 'html')
