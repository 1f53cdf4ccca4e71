import type { DriftDocument } from '../../reconciler/render/document/drift-model.ts'
import type { PlanDocument, ReportedChange } from '../../reconciler/render/document/plan-model.ts'
import { formatsOf, rendererOf } from '../../reconciler/render/formats.ts'
import {
  about as of,
  change,
  driftOf,
  HEAD,
  migration,
  noisy,
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
    reasonCode: 'declared-differs',
    reason: 'what is declared differs from what was applied',
    before: { projectId, enabled: true },
    after: { projectId, enabled: false },
    fields: [{ path: 'enabled', before: true, after: false }],
    requests: [{ method: 'PATCH', path: `/groups/${projectId}/alertConfigs/5d1113b25a115342acc2d0f3` }],
  })

/** A plan that contains something of almost everything possible. */
const planExample: PlanDocument = planOf(
  [
    {
      ...migration,
      kind: 'maintenance_window',
      after: { ...migration.after, projectId: PAYMENTS },
    },
    turnedOff('5d1113b25a115342acc2d0f3', PAYMENTS),
    turnedOff('5d1113b25a115342acc2d0f4', PAYMENTS),
    turnedOff('5d1113b25a115342acc2d0f5', SEARCH),
    {
      ...paging,
      reasonCode: 'cannot-create',
      reason: 'declared present, not found; this API has no call to create it',
      after: { projectId: PAYMENTS },
    },
  ],
  { about, summary: { unchanged: 1 } },
)

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
    unseen,
    chat,
  ],
  {
    about,
    accepted: [disk],
    unmanaged: [window('6b00c3f15d1113b25a115342')],
    requestsSent: 9,
  },
)

const STYLE = style({ width: 100 })

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
