import { styleFactsOf } from '../../reconciler/commands/output/style-facts.ts'
import type { DriftDocument, ReportedUnmanaged } from '../../reconciler/render/document/drift-model.ts'
import type { PlanDocument, ReportedChange } from '../../reconciler/render/document/plan-model.ts'
import { formatsOf, rendererOf } from '../../reconciler/render/formats.ts'
import {
  about as of,
  change,
  driftOf,
  HEAD,
  migration,
  noisy,
  NOW,
  paging,
  planOf,
  PROJECT as PAYMENTS,
  style,
} from '../../test/reconciler/render/support/documents.ts'
import { chat, disk, unseen, window } from '../../test/reconciler/render/support/findings.ts'

const SEARCH = '5c8100bcf2a30b12ff882590'

const about: DriftDocument['about'] = {
  ...of,
  declared: 6,
  projects: [
    { id: PAYMENTS, name: 'payments' },
    { id: SEARCH, name: 'search' },
  ],
}

const turnedOff = (name: string, projectId: string): ReportedChange =>
  change({
    address: `alertConfigurations.backup[${name}]`,
    kind: 'alert_configuration',
    action: 'update',
    declaredAt: 'deploymgmt.yaml:26:3',
    reasonCode: 'live-differs',
    reason: 'the live values differ from the declared ones',
    before: { projectId, enabled: true },
    after: { projectId, enabled: false },
    fields: [{ path: 'enabled', before: true, after: false }],
    requests: [{ method: 'PATCH', path: `/groups/${projectId}/alertConfigs/${name}` }],
  })

const wayIn = (declared: string, left: string): Pick<ReportedUnmanaged, 'declare' | 'leave'> => ({
  declare: {
    text: `add ${declared} to maintenanceWindows; to end it, apply, take it out and apply again`,
    entry: declared,
  },
  leave: { text: `add ${left} to unmanaged.ignore`, entry: left },
})

/** A plan that contains something of almost everything possible. */
const planExample: PlanDocument = planOf(
  [
    {
      ...migration,
      kind: 'maintenance_window',
      after: { projectId: PAYMENTS, alertTypeNames: ['HOST', 'REPLICA_SET'], ...migration.after },
      fields: [{ path: 'projectId', before: null, after: PAYMENTS }, ...migration.fields],
    },
    turnedOff('5d1113b25a115342acc2d0f3', PAYMENTS),
    turnedOff('5d1113b25a115342acc2d0f4', PAYMENTS),
    turnedOff('5d1113b25a115342acc2d0f5', SEARCH),
    {
      ...paging,
      reasonCode: 'missing',
      reason: 'declared present, not found; this API has no call to create an integration',
      after: { projectId: PAYMENTS, type: 'PAGING', ensure: 'present' },
    },
  ],
  { about, summary: { unchanged: 1 } },
)

const STRANGE = '6b00c3f15d1113b25a115342'

/** A window of somebody else, in the words of a real report. */
const silence = window(STRANGE, {
  what: 'silences HOST from 2026-11-18T08:00:00Z until 2027-11-20T00:00:00Z',
  endsAt: '2027-11-20T00:00:00Z',
  isInForce: true,
  silences: true,
  actor: {
    username: 'sam@example.com',
    at: '2026-11-18T08:00:00Z',
    eventId: '5dd42a80a11b3a0c5f5a1c03',
    eventTypeName: 'MAINTENANCE_WINDOW_ADDED_AUDIT',
    confidence: 'high',
  },
  ...wayIn(
    `maintenance-window-115342: { projectId: payments, windowId: ${STRANGE}, alertTypeNames: [HOST], ` +
      'startDate: 2026-11-18T08:00:00Z, endDate: 2027-11-20T00:00:00Z, onRemove: end }',
    `{ section: maintenanceWindows, projectId: payments, id: ${STRANGE}, reason: WHY }`,
  ),
})

const NOTE = 'No endpoint returns an API key; only its access list can be read. No event about it since.'

/** A drift report that contains something of almost everything possible. */
const driftExample: DriftDocument = driftOf(
  [
    {
      ...noisy,
      kind: 'alert_configuration',
      identity: { projectId: PAYMENTS, alertConfigId: '5d1113b25a115342acc2d0f3' },
      reasonCode: 'not-as-applied',
      keep: {
        text: 'set enabled: true at deploymgmt.yaml:27',
        patch: [
          '--- ./deploymgmt.yaml',
          '+++ ./deploymgmt.yaml',
          '@@ -29,1 +29,1 @@',
          '-    enabled: false',
          '+    enabled: true',
        ].join('\n'),
      },
    },
    {
      ...unseen,
      reasonCode: 'no-event-since',
      reason: NOTE,
      evidence: { level: 'recorded', since: '2026-11-02T08:00:00Z', note: NOTE },
    },
    { ...chat, reason: 'the live values are as last applied' },
  ],
  {
    about,
    accepted: [disk],
    unmanaged: [silence],
    requestsSent: 9,
  },
)

const STYLE = style({ width: 100, ...styleFactsOf(about, NOW) })

/** These examples in a format. */
export const exampleAs = async (report: 'plan' | 'drift', format: string): Promise<string> => {
  if (report === 'drift')
    return (
      (await rendererOf(report, format))(
        { document: driftExample, head: { projects: HEAD.projects } },
        STYLE,
      ) ?? ''
    )
  const head = { ...HEAD, declared: 6 }
  return (await rendererOf(report, format))({ document: planExample, head }, STYLE) ?? ''
}

/** Formats that a page can show. */
export const shownFormats = (report: 'plan' | 'drift'): readonly string[] =>
  formatsOf(report).filter((format) => format !== 'html')
