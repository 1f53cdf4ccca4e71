import type { ManifestFinding } from '../../../../reconciler/errors/finding.ts'
import type { ApplyFinished } from '../../../../reconciler/render/document/apply-events.ts'
import type { DriftDocument, ReportedUnmanaged } from '../../../../reconciler/render/document/drift-model.ts'
import type { ReportedChange } from '../../../../reconciler/render/document/plan-model.ts'
import type { Origin } from '../../../../reconciler/config/evaluation/origin.ts'
import type { ReportName, Reports } from '../../../../reconciler/render/document/reports.ts'
import { finished, summaryOf } from './apply.ts'
import { about, change, driftOf, HEAD, NOW, planOf, PROJECT, resource } from './documents.ts'

type Specimens = { readonly [N in ReportName]: readonly Reports[N][] }

const detailsWith = (text: string) => ({
  what: text,
  reason: text,
  declaredAt: `${text}:1:2`,
  fields: [{ path: text, before: [text, { [text]: text }], after: text, note: text }],
  evidence: { level: 'recorded', since: text, note: text } as const,
  actor: {
    username: text,
    at: text,
    eventId: text,
    eventTypeName: text,
    remoteAddress: text,
    confidence: 'high',
  } as const,
})

const changeWith = (text: string, action: ReportedChange['action']): ReportedChange =>
  change({
    ...detailsWith(text),
    address: `x.${text}`,
    action,
    byHand: text,
    notes: [text],
    endsAcceptances: [{ reason: text, until: text, at: text, fields: [text] }],
    leavesAcceptances: [{ reason: text, until: text, at: text, fields: [text] }],
    needs: [{ flag: text, because: text }],
    requests: [{ method: 'DELETE', path: `/a/${text}` }],
  })

const aboutWith = (text: string): DriftDocument['about'] => ({
  ...about,
  manifest: text,
  files: [text],
  publicKey: text,
  baseUrl: text,
  organizations: [text],
  projects: [{ id: text, name: text }, { id: text }],
})

/** A drift report with everything that one can contain. */
const driftWith = (text: string): DriftDocument => {
  const { actor, ...details } = detailsWith(text)
  const way = { command: text, text, entry: text, patch: `@@ -1 +1 @@\n-${text}\n+${text}` }
  const drifted = resource({ ...details, actor, address: text, verdict: 'drifted' })
  const { actor: _, ...unnamed } = drifted
  const severally = { ...unnamed, fields: details.fields.map((field) => ({ ...field, actor })) }
  const accepted = { reason: text, until: text, at: text }
  const unmanaged: ReportedUnmanaged = {
    kind: text,
    section: text,
    identity: { [text]: text },
    what: text,
    seenIn: 'events',
    silences: true,
    isInForce: true,
    actor,
    isMaker: true,
    changedBy: [actor],
    declare: way,
    leave: way,
  }
  const ways = { undo: way, keep: way, likelihood: text }
  const found = driftOf(
    [
      drifted,
      { ...severally, address: `${text}.several` },
      { ...drifted, address: `${text}.gone`, reasonCode: 'not-found', fields: [], byHand: text },
      {
        ...drifted,
        address: `${text}.ended`,
        acceptanceEnded: [{ ...accepted, fields: [text] }],
        acceptanceChanged: [accepted],
      },
      { ...drifted, address: `${text}.late`, verdict: 'pending', isLate: true },
      { ...drifted, address: `${text}.pending`, verdict: 'pending' },
      { ...drifted, address: `${text}.unverifiable`, verdict: 'unverifiable' },
      { ...drifted, address: `${text}.fine`, verdict: 'in-sync' },
    ],
    {
      about: aboutWith(text),
      accepted: [{ ...drifted, address: `${text}.accepted`, acceptance: accepted }],
      unmanaged: [
        unmanaged,
        { ...unmanaged, section: 'known', ignored: { reason: text, until: text } },
        { ...unmanaged, section: 'again', ignoredBefore: { reason: text, until: text, at: text } },
      ],
      unmanagedCounts: true,
      toBeSettled: [{ address: text, reasonCode: text, reason: text }],
      warnings: [text],
      targeted: [text],
    },
  )
  return { ...found, resources: found.resources.map((each) => ({ ...each, ...ways })) }
}

const applyWith = (text: string): Specimens['apply'] => {
  const unknown: ApplyFinished = finished({
    address: text,
    status: 'unknown',
    notes: [text],
    error: { code: text, message: text, where: text, hint: text },
  })
  const { evidence } = detailsWith(text)
  const summary = summaryOf({
    blocked: [{ address: text, reason: text, byHand: text }],
    unverifiable: [{ address: text, evidence }],
    problems: [
      unknown,
      { ...unknown, status: 'failed' },
      { ...unknown, status: 'unsaved' },
      { ...unknown, status: 'skipped' },
    ],
    warnings: [text],
  })
  const at = NOW.toISOString()
  return [
    { document: { type: 'settled', address: text, reason: text, reasonCode: 'not-created', at } },
    { document: { type: 'started', address: text, action: 'create', at } },
    { document: unknown },
    { document: summary },
  ]
}

const rowsOf = (...rows: Reports['records']['document']): Reports['records'] => ({
  document: rows,
  lines: rows,
})

const recordWith = (text: string): Reports['record']['document'] => ({
  address: text,
  kind: text,
  identity: { [text]: text },
  applied: { a: text, b: [{ c: text }] },
  answer: null,
  adopted: null,
  onRemove: text,
  lastWrite: null,
  watermark: text,
})

const findingWith = (text: string): ManifestFinding => ({
  severity: 'warning',
  path: text,
  message: text,
  file: text,
  line: 1,
  column: 1,
})

const gateWith = (
  text: string,
  open: boolean,
): NonNullable<Reports['plan']['document']['gates']>[number] => ({
  projectId: text,
  project: text,
  gate: text,
  goal: text,
  open,
  hindrances: [text, `${text}.`].map((says) => ({ says, facts: { [text]: text } })),
  excepted: [{ says: text, facts: {}, reason: text, until: '2035-01-01T00:00:00Z' }],
  ended: [{ name: text, until: '2025-01-01T00:00:00Z' }],
  byHand: text,
  declaredAt: text,
})

const originWith = (text: string): Origin => ({ is: 'variable', name: text, at: text })

const waitedWith = (text: string, reached: boolean): Reports['waited'] => ({
  document: {
    formatVersion: 1,
    condition: text,
    goal: text,
    reached,
    seconds: 1,
    timeoutSeconds: 600,
    looks: 1,
    projects: [
      { projectId: text, project: text, reached, hindrances: [{ says: text, facts: { [text]: text } }] },
    ],
    requestsSent: 1,
  },
})

/** Reports of each kind that contain a text wherever a service, a manifest or a file could have put it. */
export const reportsWith = (text: string): Specimens => {
  const details = detailsWith(text)
  const changes = (['update', 'create', 'delete', 'blocked', 'unchanged'] as const).map((action) =>
    changeWith(text, action),
  )
  const accepting = { reason: text, until: text, at: `${text}:1:2` }
  const drifted = resource({
    ...details,
    address: text,
    verdict: 'drifted',
    likelihood: text,
    undo: { command: text, text },
    keep: { text, patch: text },
    acceptanceEnded: [{ ...accepting, fields: ['enabled'] }],
    acceptanceChanged: [accepting],
  })
  return {
    plan: [
      {
        document: planOf(changes, {
          about: aboutWith(text),
          saved: { file: text, sha256: text },
          needs: [{ flag: text, because: text }],
          toBeSettled: [{ address: text, reasonCode: text, reason: text }],
          warnings: [text],
          gates: [gateWith(text, false), gateWith(text, true)],
          explained: {
            address: text,
            values: [{ field: text, from: [originWith(text), { is: 'field-default' }] }],
          },
          targeted: [text],
        }),
        head: { ...HEAD, title: text },
      },
      { document: planOf(changes.slice(-1)), head: HEAD },
    ],
    drift: [
      {
        document: driftOf([drifted, { ...drifted, verdict: 'unverifiable' }], {
          accepted: [{ ...drifted, acceptance: accepting }],
          toBeSettled: [{ address: text, reasonCode: text, reason: text }],
          warnings: [text],
        }),
        head: { projects: [PROJECT] },
      },
      { document: driftWith(text), head: { projects: [PROJECT] } },
    ],
    apply: applyWith(text),
    reading: [
      { document: { results: [{ [text]: text }], totalCount: 1 }, name: text },
      { document: { [text]: text, nested: [{ a: text }] }, name: 'x' },
    ],
    records: [rowsOf({ address: text, kind: text, id: text, status: 'unknown' })],
    record: [{ document: recordWith(text) }],
    waited: [waitedWith(text, false), waitedWith(text, true)],
    silences: [
      {
        document: {
          formatVersion: 1,
          silences: [
            {
              id: text,
              name: text,
              projectId: text,
              project: text,
              alertTypeNames: [text],
              startDate: text,
              endDate: text,
              reason: text,
              status: 'unknown',
            },
          ],
        },
      },
    ],
    inventory: [
      {
        document: {
          formatVersion: 1,
          at: NOW.toISOString(),
          projects: [{ name: text, id: text, orgId: text }],
          sources: { [text]: [{ project: text, [text]: text, nested: { a: text } }] },
          empty: [{ source: text, project: text, [text]: text }],
          refused: [{ source: text, of: text, code: text, message: text }],
          requestsSent: 1,
        },
        tables: [
          {
            name: text,
            title: text,
            rows: [{ project: text, [text]: text }, { [text]: [text] }],
            empty: [text],
          },
        ],
      },
    ],
    validation: [
      { document: { formatVersion: 1, valid: true, name: text, entries: 1, warnings: [findingWith(text)] } },
    ],
    done: [{ document: { formatVersion: 1, done: text, id: text, projectId: text, endDate: text } }],
    ready: [{ document: { ready: true, baseUrl: text, controlUrl: text, controlToken: text }, data: text }],
    failure: [
      {
        document: {
          formatVersion: 1,
          error: { code: text, message: text, where: text, hint: text, findings: [findingWith(text)] },
        },
      },
    ],
  }
}

/** Reports of each kind with as little content as possible. */
export const EMPTY: Specimens = {
  plan: [{ document: planOf([]), head: { title: 'plan', projects: [], declared: 0, seconds: 0 } }],
  drift: [{ document: driftOf([]), head: { projects: [] } }],
  apply: [{ document: summaryOf() }],
  reading: [
    { document: { results: [], totalCount: 0 }, name: 'alerts' },
    { document: {}, name: 'alert' },
  ],
  records: [{ document: [], lines: [] }],
  record: [{ document: { ...recordWith(''), address: 'a.b', kind: 'a', identity: {}, applied: {} } }],
  waited: [waitedWith('', true)],
  silences: [{ document: { formatVersion: 1, silences: [] } }],
  inventory: [
    {
      document: {
        formatVersion: 1,
        at: NOW.toISOString(),
        projects: [],
        sources: { alerts: [] },
        empty: [],
        refused: [],
        requestsSent: 0,
      },
      tables: [{ name: 'alerts', title: 'Alerts', rows: [] }],
    },
  ],
  validation: [{ document: { formatVersion: 1, valid: true, name: 'a', entries: 0, warnings: [] } }],
  done: [
    { document: { formatVersion: 1, done: 'Done.' } },
    { document: { formatVersion: 1, done: ['Done.', 'Done, too.'] } },
  ],
  ready: [{ document: { ready: true, baseUrl: 'http://127.0.0.1:1' }, data: undefined }],
  failure: [{ document: { formatVersion: 1, error: { code: 'DM-INTERNAL', message: 'a defect' } } }],
}

export const REPORTS = Object.keys(EMPTY) as readonly ReportName[]
