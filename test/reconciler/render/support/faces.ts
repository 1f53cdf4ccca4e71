import type { DriftDocument, ReportedDrift } from '../../../../reconciler/render/document/drift-model.ts'
import type { PlanDocument } from '../../../../reconciler/render/document/plan-model.ts'
import { rendererOf } from '../../../../reconciler/render/formats.ts'
import type { ReportStyle } from '../../../../reconciler/render/document/reports.ts'
import { driftOf, HEAD, noisy, ORGANIZATION, PROJECT, resource, style } from './documents.ts'
import { chat, disk, unseen, window } from './findings.ts'

export const driftAs = async (
  format: string,
  document: DriftDocument,
  given: Partial<ReportStyle> = {},
): Promise<string> =>
  (await rendererOf('drift', format))({ document, head: { projects: [PROJECT] } }, style(given)) ?? ''

export const planAs = async (
  format: string,
  document: PlanDocument,
  given: Partial<ReportStyle> = {},
): Promise<string> => (await rendererOf('plan', format))({ document, head: HEAD }, style(given)) ?? ''

export const suspect: ReportedDrift = resource({
  address: 'users.sam',
  verdict: 'drifted',
  declaredAt: 'team/users.yaml:20:3',
  reasonCode: 'event-since',
  reason: 'an event is about it',
  evidence: {
    level: 'suspect',
    events: [
      {
        id: '5dd42a80a11b3a0c5f5a1c04',
        eventTypeName: 'USER_ROLES_CHANGED_AUDIT',
        created: '2026-11-19T10:00:00Z',
        username: 'dana@example.com',
      },
    ],
  },
  fields: [
    {
      path: 'roles',
      before: [{ orgId: ORGANIZATION, roleName: 'ORG_MEMBER' }],
      after: null,
      note: 'may have been changed outside; no endpoint shows it',
    },
  ],
})

const found: DriftDocument = driftOf(
  [
    noisy,
    resource({
      address: 'integrations.paging',
      verdict: 'drifted',
      reasonCode: 'gone-at-service',
      reason: 'it is gone at the service',
      byHand: 'By hand: Project payments → Integrations → PAGING, then plan again.',
    }),
    resource({
      address: 'alertConfigurations.lag',
      verdict: 'drifted',
      declaredAt: 'deploymgmt.yaml:31:3',
      fields: [{ path: 'enabled', before: true, after: false }],
      acceptanceEnded: [
        {
          reason: 'until the migration is over',
          until: '2026-11-15',
          at: 'deploymgmt.accepted.yaml:3:5',
          fields: ['enabled'],
        },
      ],
    }),
    suspect,
    resource({
      address: 'maintenanceWindows.patching[2026-11-20]',
      verdict: 'pending',
      reason: 'declared, not recorded',
      isLate: true,
      declaredAt: 'deploymgmt.yaml:40:3',
    }),
    resource({ address: 'maintenanceWindows.later', verdict: 'pending', reason: 'declared, not recorded' }),
    unseen,
    chat,
  ],
  {
    accepted: [disk],
    unmanaged: [
      window('6b00c3f15d1113b25a115342'),
      window('6b00c3f15d1113b25a115343', { ignored: { reason: 'made by the vendor', until: '2027-01-01' } }),
    ],
    unmanagedCounts: true,
    toBeSettled: [
      { address: 'maintenanceWindows.lost', reasonCode: 'can-be-sent-again', reason: 'it can be sent again' },
    ],
    warnings: ['events of the organization cannot be read'],
  },
)

const patch = [
  '--- ./deploymgmt.yaml',
  '+++ ./deploymgmt.yaml',
  '@@ -27,2 +27,2 @@',
  '   noisy:',
  '-    enabled: false',
  '+    enabled: true',
  '',
].join('\n')

/** A report with one finding of each kind, and one with everything that is no finding. */
export const full: DriftDocument = {
  ...found,
  resources: found.resources.map((each) =>
    each.address === noisy.address ? { ...each, keep: { ...each.keep, patch } } : each,
  ),
}
