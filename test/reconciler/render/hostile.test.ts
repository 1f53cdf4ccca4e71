import type { SaidChange } from '../../../reconciler/render/document.ts'
import { assert, jsonValue, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderApplyEvent, renderApplySummary } from '../../../reconciler/render/apply-text.ts'
import { renderDrift } from '../../../reconciler/render/drift-text.ts'
import { renderPlan } from '../../../reconciler/render/plan-text.ts'
import { renderRead } from '../../../reconciler/render/table-text.ts'
import { renderStateList, renderStateShow } from '../../../reconciler/render/state-text.ts'
import { showValue } from '../../../reconciler/text/values.ts'
import type { ApplyFinished } from '../../../reconciler/render/apply-events.ts'
import { change, driftOf, HEAD, NOW, planOf, resource, style } from './support/documents.ts'
import { summaryOf } from './support/apply.ts'
import { HOSTILE, OBEYED } from './support/text.ts'

const evidence: SaidChange['evidence'] = { level: 'recorded', since: HOSTILE, note: HOSTILE }
const actor: SaidChange['actor'] = {
  username: HOSTILE,
  at: HOSTILE,
  eventId: HOSTILE,
  eventTypeName: HOSTILE,
  remoteAddress: HOSTILE,
  confidence: 'high',
}
const details = {
  reason: HOSTILE,
  declaredAt: `${HOSTILE}:1:2`,
  fields: [{ path: HOSTILE, before: [HOSTILE, { [HOSTILE]: HOSTILE }], after: HOSTILE, note: HOSTILE }],
  evidence,
  actor,
}
const changes = (['update', 'create', 'delete', 'blocked', 'unchanged'] as const).map((action) =>
  change({
    ...details,
    address: `x.${HOSTILE}`,
    action,
    byHand: HOSTILE,
    notes: [HOSTILE],
    needs: [{ flag: HOSTILE, because: HOSTILE }],
    requests: [{ method: 'DELETE', path: `/a/${HOSTILE}` }],
  }),
)
const finished: ApplyFinished = {
  type: 'finished',
  address: HOSTILE,
  action: 'create',
  status: 'unknown',
  notes: [HOSTILE],
  error: { code: HOSTILE, message: HOSTILE, where: HOSTILE, hint: HOSTILE },
  at: NOW.toISOString(),
}
const summary = summaryOf({
  blocked: [{ address: HOSTILE, reason: HOSTILE, byHand: HOSTILE }],
  unverifiable: [{ address: HOSTILE, evidence }],
  problems: [finished, { ...finished, status: 'failed' }, { ...finished, status: 'skipped' }],
  warnings: [HOSTILE],
})
const drifted = resource({ ...details, address: HOSTILE, verdict: 'drifted' })
const record = {
  address: HOSTILE,
  kind: HOSTILE,
  identity: { [HOSTILE]: HOSTILE },
  applied: { a: HOSTILE, b: [{ c: HOSTILE }] },
  answer: null,
  adopted: null,
  onRemove: HOSTILE,
  lastWrite: null,
  watermark: HOSTILE,
}

describe('strings that a service made', () => {
  const plain = style({ all: true })
  it.each([
    [
      'a plan',
      () => renderPlan(planOf(changes, { warnings: [HOSTILE] }), { ...HEAD, title: HOSTILE }, plain),
    ],
    ['a plan with nothing to do', () => renderPlan(planOf(changes.slice(-1)), HEAD, style())],
    [
      'a drift',
      () =>
        renderDrift(driftOf([drifted, { ...drifted, verdict: 'unverifiable' }]), { projects: 1 }, plain, 2),
    ],
    ['an event', () => renderApplyEvent(finished, plain) ?? ''],
    ['a summary', () => renderApplySummary(summary, plain)],
    ['a list', () => renderRead(HOSTILE, { results: [{ [HOSTILE]: HOSTILE }], totalCount: 1 }, plain)],
    ['a thing', () => renderRead('x', { [HOSTILE]: HOSTILE, nested: [{ a: HOSTILE }] }, plain)],
    [
      'a list of the state',
      () => renderStateList([{ address: HOSTILE, kind: HOSTILE, id: HOSTILE, status: 'unknown' }], plain),
    ],
    ['a record', () => renderStateShow(record, plain)],
  ])('cannot steer a terminal from %s', (_, render) => {
    const shown = render()
    expect(shown).not.toMatch(OBEYED)
    expect(shown).toContain(String.raw`\u001B[2J`)
  })

  it('stay text between the quotes of a command to copy', () => {
    const address = "integrations.only[$(rm)'; x]"
    const shown = renderApplySummary(summaryOf({ problems: [{ ...finished, address }] }), plain)
    expect(shown).toContain(String.raw`resolve 'integrations.only[$(rm)'\''; x]' --not-created`)
  })

  it('never get out of a value, whatever they are', () => {
    assert(
      property(jsonValue(), (value) => {
        expect(showValue(value)).not.toMatch(OBEYED)
      }),
    )
  })
})
