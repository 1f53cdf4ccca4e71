import type { Actor, EventSeen } from '@deploymgmt/provider/engine'
import type { DriftDocument, ReportedDrift } from '../../../../reconciler/render/document/drift-model.ts'
import type { PlanDocument } from '../../../../reconciler/render/document/plan-model.ts'
import { renderDriftPage } from '../../../../reconciler/render/html/drift.ts'
import { renderFailurePage } from '../../../../reconciler/render/html/failure.ts'
import { renderPlanPage } from '../../../../reconciler/render/html/plan.ts'
import {
  PROJECT,
  dana,
  driftOf,
  HEAD,
  hostDown,
  inSync,
  migration,
  noisy,
  oldChat,
  paging,
  planOf,
  resource,
  style,
} from './documents.ts'

export const driftPage = (document: DriftDocument): string =>
  renderDriftPage({ document, head: { projects: [PROJECT] } })
export const planPage = (document: PlanDocument): string => renderPlanPage({ document, head: HEAD }, style())

const seen = (given: Partial<EventSeen> & Pick<EventSeen, 'id' | 'created'>): EventSeen => ({
  eventTypeName: 'USER_ROLES_CHANGED_AUDIT',
  username: 'dana@example.com',
  remoteAddress: '198.51.100.4',
  ...given,
})

const oncall: Actor = {
  publicKey: 'oncall',
  remoteAddress: '192.0.2.8',
  at: '2026-11-18T23:02:11Z',
  eventId: '5dd42a80a11b3a0c5f5a1c07',
  eventTypeName: 'API_KEY_ACCESS_LIST_ENTRY_ADDED',
  confidence: 'medium',
}

const reporting = resource({
  address: 'apiKeys.reporting',
  verdict: 'drifted',
  declaredAt: 'deploymgmt.yaml:12:3',
  fields: [
    { path: 'accessList', before: ['192.0.2.0/24', '198.51.100.7'], after: ['192.0.2.0/24', '0.0.0.0/0'] },
    { path: 'desc', before: 'Reporting', after: 'Reporting, open for a day', declared: 'Reports' },
  ],
  actor: oncall,
  likelihood: 'likely: several events could explain it, or the only one is not about exactly what changed',
  undo: { command: 'deploymgmt apply --target apiKeys.reporting' },
  keep: { text: 'edit deploymgmt.yaml:12', patch: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-desc: a\n+desc: b\n' },
})

const alex = resource({
  address: 'users.alex',
  verdict: 'drifted',
  reason: 'events are about it',
  fields: [{ path: 'roles', before: ['ORG_MEMBER'], after: null, note: 'no event tells which' }],
  evidence: {
    level: 'suspect',
    events: [
      seen({ id: 'e1', created: '2026-11-19T08:00:00Z' }),
      seen({ id: 'e2', created: '2026-11-17T22:12:00Z', username: 'sam@example.com' }),
    ],
  },
})

const gone = resource({
  address: 'integrations.paging',
  verdict: 'drifted',
  reasonCode: 'not-found',
  reason: 'it is no longer there',
  byHand: 'Create it again in the web interface.',
  acceptanceEnded: [{ reason: 'Over by now', until: '2026-11-01', at: 'deploymgmt.accepted.yaml:9:3' }],
  acceptanceChanged: [{ reason: 'Another one', at: 'deploymgmt.accepted.yaml:12:3' }],
})

const many = (count: number): ReportedDrift[] =>
  Array.from({ length: count }, (_, index) =>
    resource({ address: `alertConfigurations.a${String(index + 1)}`, verdict: 'in-sync', reason: '' }),
  )

const all: DriftDocument = driftOf(
  [
    ...many(10),
    { ...noisy, identity: { projectId: '5c8100bcf2a30b12ff88258f', id: '5d1113b25a115342acc2d1aa' } },
    reporting,
    alex,
    gone,
    resource({ address: 'maintenanceWindows.w[2026-11-21]', verdict: 'pending', isLate: true }),
    resource({ address: 'maintenanceWindows.w[2026-11-28]', verdict: 'pending', reason: 'not applied yet' }),
    resource({ address: 'users.dana', verdict: 'unverifiable', evidence: { level: 'recorded' } }),
  ],
  {
    warnings: ['events can be read since 2026-11-12 alone'],
    toBeSettled: [{ address: 'maintenanceWindows.lost', reasonCode: 'x', reason: 'asked for again' }],
    accepted: [
      resource({
        address: 'alertConfigurations.legacy',
        verdict: 'drifted',
        fields: [{ path: 'enabled', before: true, after: false }],
        actor: oncall,
        acceptance: { reason: 'Being retired', until: '2026-12-31', at: 'deploymgmt.accepted.yaml:3:3' },
      }),
    ],
    unmanaged: [
      {
        kind: 'maintenance_window',
        section: 'maintenanceWindows',
        identity: { id: '5ddd' },
        what: 'turns off HOST until 2030-01-01',
        seenIn: 'events',
        actor: { ...oncall, confidence: 'high' },
      },
      {
        kind: 'user',
        section: 'users',
        identity: { username: 'contractor@example.com' },
        what: 'has GROUP_OWNER',
        seenIn: 'list',
        ignored: { reason: 'Leaves in January', until: '2027-01-31' },
      },
    ],
  },
)

/** An example of everything that a drift report can contain; its patch is made from a manifest. */
export const DRIFTED: DriftDocument = {
  ...all,
  resources: all.resources.map((each) => (each.address === reporting.address ? reporting : each)),
}

/** A command that failed, as a page. */
export const FAILED_PAGE = renderFailurePage({
  document: {
    formatVersion: 1,
    error: {
      code: 'DM-MANIFEST',
      message: 'the manifest has 1 error',
      where: 'deploymgmt.yaml:3:5',
      hint: 'Mend it.',
      findings: [
        {
          severity: 'error',
          path: 'users.a',
          message: 'no such role',
          file: 'deploymgmt.yaml',
          line: 3,
          column: 5,
        },
      ],
    },
  },
})

/** An example of each kind of change in a plan. */
export const PLANNED: PlanDocument = planOf(
  [
    migration,
    hostDown,
    { ...oldChat, needs: [{ flag: '--allow-delete', because: 'it cannot be undone' }], notes: ['a note'] },
    paging,
    dana,
    inSync('alertConfigurations.a'),
  ],
  {
    needs: [{ flag: '--allow-mass-change', because: '9 of 12 change' }],
    strangers: [{ kind: 'maintenance_window', identity: { id: 'w1' }, at: '2026-11-19T08:00:00Z' }],
    saved: { file: 'plan.json', sha256: 'ab'.repeat(32) },
    explained: {
      address: 'users.dana',
      values: [
        { field: 'roles', from: [{ is: 'declared', at: 'deploymgmt.yaml:3:5' }, { is: 'field-default' }] },
      ],
    },
    targeted: ['users.*', 'maintenanceWindows.migration'],
  },
)
