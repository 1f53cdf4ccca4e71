import type { Verdict } from '@deploymgmt/provider/engine'
import type { DriftDocument, ReportedDrift } from '../../../../reconciler/render/document/drift-model.ts'
import type {
  PlanDocument,
  ReportedChange,
  Summary,
} from '../../../../reconciler/render/document/plan-model.ts'
import type { SavedPlan } from '../../../../reconciler/plan-file/shape.ts'
import { renderDrift } from '../../../../reconciler/render/terminal/drift-text.ts'
import { renderPlan } from '../../../../reconciler/render/terminal/plan-text.ts'
import { withWaysOut } from '../../../../reconciler/render/document/ways-out.ts'
import type { PlanHead, ReportStyle } from '../../../../reconciler/render/document/reports.ts'

const NO_MANIFEST = {
  sameFlags: '',
  patchFor: () => undefined,
  saidAt: () => undefined,
  comesFrom: () => undefined,
  isAlone: () => false,
  isForLater: () => false,
  listed: () => undefined,
  ownEntry: () => undefined,
  leavesOut: () => undefined,
  isDeclared: () => false,
}
export const NOW = new Date('2026-11-20T06:00:00Z')

export const style = (given: Partial<ReportStyle> = {}): ReportStyle => ({
  color: false,
  width: 85,
  now: NOW,
  all: false,
  ...given,
})

export const PROJECT = '5c8100bcf2a30b12ff88258f'
export const ORGANIZATION = '5980cfdf0b6d97029d82f86e'

/** Identifying fields come first, as in a real document. */
export const change = ({
  address,
  action,
  declaredAt,
  ...given
}: Partial<ReportedChange> & Pick<ReportedChange, 'address' | 'action'>): ReportedChange => ({
  address,
  kind: (address.split('.')[0] ?? '').replace(/s$/, ''),
  action,
  ...(declaredAt === undefined ? {} : { declaredAt }),
  reasonCode: given.reason === undefined ? 'not-recorded' : 'not-found',
  reason: 'declared, not recorded',
  before: null,
  after: null,
  fields: [],
  evidence: { level: 'read' },
  requests: [],
  ...given,
})

const ZERO: Summary = {
  create: 0,
  adopt: 0,
  update: 0,
  delete: 0,
  release: 0,
  moved: 0,
  blocked: 0,
  expired: 0,
  unchanged: 0,
  unverifiable: 0,
}

type PlanGiven = Partial<Omit<PlanDocument, 'summary'>> & { readonly summary?: Partial<Summary> }

export const planOf = (changes: readonly ReportedChange[], given: PlanGiven = {}): PlanDocument => {
  const summary = { ...ZERO }
  for (const { action, evidence } of changes)
    summary[action === 'unchanged' && evidence.level !== 'read' ? 'unverifiable' : action] += 1
  return {
    formatVersion: 1,
    about,
    inSync: changes.every(({ action }) => action === 'unchanged' || action === 'expired'),
    ...given,
    summary: { ...summary, ...given.summary },
    changes,
    warnings: given.warnings ?? [],
    requestsSent: given.requestsSent ?? 6,
  }
}

export const savedPlan = (given: Partial<SavedPlan> = {}): SavedPlan => ({
  formatVersion: 1,
  savedPlan: true,
  baseUrl: 'https://service.example.com/api/public/v1.0',
  now: NOW.toISOString(),
  files: ['deploymgmt.yaml'],
  vars: [],
  target: [],
  sources: [{ file: 'deploymgmt.yaml', sha256: 'ab' }],
  state: { lineage: 'one', serial: 1, exists: true },
  document: planOf([]),
  ...given,
})

export const migration = change({
  address: 'maintenanceWindows.migration',
  action: 'create',
  declaredAt: 'deploymgmt.yaml:31:3',
  after: { startDate: '2026-12-05T02:00:00Z', endDate: '2026-12-05T04:00:00Z' },
  fields: [
    { path: 'alertTypeNames', before: null, after: ['HOST', 'REPLICA_SET'] },
    { path: 'startDate', before: null, after: '2026-12-05T02:00:00Z' },
    { path: 'endDate', before: null, after: '2026-12-05T04:00:00Z' },
  ],
  evidence: { level: 'unknown' },
  requests: [{ method: 'POST', path: `/groups/${PROJECT}/maintenanceWindows/` }],
})

export const hostDown = change({
  address: 'alertConfigurations.host-down[5d1113b25a115342acc2d0f3]',
  action: 'update',
  reasonCode: 'live-differs',
  reason: 'the live values differ from the declared ones',
  declaredAt: 'deploymgmt.yaml:26:3',
  fields: [{ path: 'enabled', before: false, after: true }],
  evidence: { level: 'read' },
  actor: {
    publicKey: 'oncall',
    remoteAddress: '192.0.2.8',
    at: '2026-11-18T09:12:00Z',
    eventId: '5dc9f2c8a11b3a0c5f5a1c01',
    eventTypeName: 'ALERT_CONFIG_DISABLED_AUDIT',
    confidence: 'high',
  },
})

export const oldChat = change({
  address: 'integrations.old-chat',
  action: 'delete',
  reasonCode: 'must-be-absent',
  reason: 'declared absent',
  declaredAt: 'deploymgmt.yaml:44:3',
  requests: [{ method: 'DELETE', path: `/groups/${PROJECT}/integrations/CHAT_A` }],
})

export const paging = change({
  address: 'integrations.paging',
  action: 'blocked',
  reason: 'declared present, not found; this API has no call to create it.',
  byHand: 'By hand: Project payments → Integrations → PAGING, then plan again.',
  declaredAt: 'deploymgmt.yaml:43:3',
})

export const reporting = change({
  address: 'apiKeys.reporting',
  action: 'unchanged',
  reason: 'as last applied; cannot be verified',
  declaredAt: 'deploymgmt.yaml:12:3',
  evidence: {
    level: 'recorded',
    since: '2026-11-02T08:00:00Z',
    note: 'No endpoint returns an API key. No event about it since.',
  },
})

export const dana = change({
  address: 'users.dana',
  action: 'unchanged',
  reason: 'as last applied; cannot be verified',
  declaredAt: 'deploymgmt.yaml:18:3',
  evidence: {
    level: 'recorded',
    since: '2026-11-03T08:00:00Z',
    note: 'No endpoint returns a user. No event about it since.',
  },
})

export const inSync = (address: string): ReportedChange =>
  change({
    address,
    action: 'unchanged',
    reasonCode: 'as-declared',
    reason: 'the live values are as declared',
    declaredAt: 'deploymgmt.yaml:50:3',
  })

export const HEAD: PlanHead = {
  title: 'plan',
  projects: [PROJECT, '5c8100bcf2a30b12ff882590'],
  declared: 14,
  seconds: 0.31,
}

export const planText = (document: PlanDocument, given: Partial<ReportStyle> = {}, head = HEAD): string =>
  renderPlan({ document, head }, style(given))

export const resource = ({
  address,
  verdict,
  declaredAt,
  ...given
}: Partial<ReportedDrift> & Pick<ReportedDrift, 'address' | 'verdict'>): ReportedDrift => ({
  address,
  kind: (address.split('.')[0] ?? '').replace(/s$/, ''),
  verdict,
  ...(declaredAt === undefined ? {} : { declaredAt }),
  reason: 'the live values are not those last applied',
  fields: [],
  evidence: { level: 'read' },
  ...given,
})

export const about: DriftDocument['about'] = {
  manifest: 'acme-production',
  files: ['deploymgmt.yaml'],
  declared: 14,
  baseUrl: 'https://opsmgr.example.com/api/public/v1.0',
  publicKey: 'ciadmin',
  organizations: ['5980cfdf0b6d97029d82f86e'],
  projects: [{ id: '5c8100bcf2a30b12ff88258f', name: 'payments' }],
}

export const driftOf = (
  resources: readonly ReportedDrift[],
  given: Partial<DriftDocument> = {},
): DriftDocument => {
  const count = (verdict: Verdict) => resources.filter((each) => each.verdict === verdict).length
  return {
    formatVersion: 1,
    about,
    inSync: count('drifted') + count('pending') === 0,
    checkedAt: NOW.toISOString(),
    summary: {
      'in-sync': count('in-sync'),
      drifted: count('drifted'),
      unverifiable: count('unverifiable'),
      pending: count('pending'),
      accepted: given.accepted?.length ?? 0,
      ...(given.unmanaged === undefined
        ? {}
        : { unmanaged: given.unmanaged.filter(({ ignored }) => ignored === undefined).length }),
    },
    resources: withWaysOut({ resources }, NO_MANIFEST).resources.map((each, index) => ({
      ...each,
      ...resources[index],
    })),
    toBeSettled: [],
    warnings: [],
    requestsSent: 5,
    exitCode: 2,
    ...given,
  }
}

export const noisy = resource({
  address: 'alertConfigurations.noisy',
  verdict: 'drifted',
  declaredAt: 'deploymgmt.yaml:27:3',
  fields: [{ path: 'enabled', before: false, after: true }],
  actor: {
    username: 'dana@example.com',
    remoteAddress: '198.51.100.4',
    at: '2026-11-19T17:40:00Z',
    eventId: '5dd42a80a11b3a0c5f5a1c02',
    eventTypeName: 'ALERT_CONFIG_ENABLED_AUDIT',
    confidence: 'high',
  },
})

export const driftText = (
  document: DriftDocument,
  given: Partial<ReportStyle> = {},
  { projects = [PROJECT] as readonly string[], exitCode = 2 } = {},
): string => renderDrift({ document: { ...document, exitCode }, head: { projects } }, style(given))
