import { describe, expect, it } from 'vitest'
import type { EventSeen } from '@deploymgmt/provider/engine'
import type { ReportedChange } from '../../reconciler/render/document/plan-model.ts'
import { PlanStaleError } from '../../reconciler/errors/index.ts'
import {
  divergences,
  refuseOtherThanSaved,
  refuseOtherThanShown,
  refuseStale,
  withoutSettled,
} from '../../reconciler/plan-file/stale.ts'
import { about, PROJECT, savedPlan } from './render/support/documents.ts'

const change = (more: Partial<ReportedChange> = {}): ReportedChange => ({
  address: 'things.a',
  kind: 'thing',
  action: 'update',
  reasonCode: 'declared-differs',
  reason: 'declared otherwise',
  before: {},
  after: {},
  fields: [{ path: 'desc', before: 'a', after: 'b' }],
  evidence: { level: 'recorded' },
  requests: [{ method: 'PATCH', path: '/things/a' }],
  ...more,
})

const event = (id: string, more: Partial<EventSeen> = {}): EventSeen => ({
  id,
  eventTypeName: 'THING_CHANGED',
  created: '2026-11-20T12:00:00Z',
  publicKey: 'oncall',
  ...more,
})

const shown = (...changes: ReportedChange[]) => ({ ...savedPlan().document, changes })
const suspect = (...events: EventSeen[]): ReportedChange => change({ evidence: { level: 'suspect', events } })
const acted = (eventId: string, after: string): ReportedChange => {
  const at = '2026-11-20T12:00:00Z'
  const actor = {
    publicKey: 'oncall',
    at,
    eventId,
    eventTypeName: 'THING_CHANGED',
    confidence: 'high',
  } as const
  return change({ actor, fields: [{ path: 'desc', before: 'a', after }] })
}
const blocked = change({ action: 'blocked', fields: [], requests: [] })

describe('two plans', () => {
  it('are the same when only what was read, and when, differs', () => {
    const later = change({
      reason: 'other words',
      evidence: { level: 'read', since: '2026-11-20T12:00:00Z' },
    })
    expect(divergences([change()], [later])).toEqual([])
    const needing = (because: string) => change({ needs: [{ flag: '--allow-delete', because }] })
    const noted = change({ fields: [{ path: 'desc', before: 'a', after: 'b', note: 'said otherwise' }] })
    expect(divergences([change()], [noted])).toEqual([])
    expect(divergences([needing('one')], [needing('other')])).toEqual([])
    expect(divergences([change()], [needing('one')])).toHaveLength(1)
    expect(divergences([], [change({ action: 'unchanged' }), change({ action: 'expired' })])).toEqual([])
  })

  it('differ when one of two changes of an address does, in whichever order they come', () => {
    expect(divergences([change(), blocked], [blocked, change()])).toEqual([])
    const other = change({ fields: [{ path: 'roles', before: [], after: ['A'] }] })
    expect(divergences([change(), blocked], [other, blocked])).toHaveLength(1)
    expect(divergences([other, change()], [change(), change()])).toHaveLength(1)
    expect(divergences([change(), blocked], [blocked])).toMatchObject([{ unshown: false }])
    expect(divergences([blocked], [blocked, change()])).toMatchObject([{ unshown: true }])
  })

  it('differ when someone else acted on the thing in between', () => {
    expect(divergences([suspect(event('1'))], [suspect(event('1'))])).toEqual([])
    expect(divergences([change()], [suspect(event('1'))])).toMatchObject([{ events: [{ id: '1' }] }])
    expect(divergences([suspect(event('1'))], [suspect(event('2'), event('1'))])).toMatchObject([
      { address: 'things.a', unshown: false, events: [{ id: '2' }] },
    ])
  })

  it('do not call somebody new whom the earlier one has named', () => {
    const [known] = divergences([acted('1', 'b')], [acted('1', 'c')])
    expect(known).not.toHaveProperty('actor')
    expect(divergences([acted('1', 'b')], [acted('2', 'c')])).toMatchObject([{ actor: { eventId: '2' } }])
  })
})

const saying = (act: () => void): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof PlanStaleError) return error.message
    throw error
  }
  return ''
}

describe('a saved plan', () => {
  const state = { lineage: 'one', serial: 3, exists: true }
  const plan = savedPlan({ state })
  const met = (more: Partial<Parameters<typeof refuseStale>[1]>): PlanStaleError | undefined => {
    const { baseUrl, sources } = plan
    try {
      refuseStale(plan, { baseUrl, sources, state, ...more })
      return undefined
    } catch (error) {
      if (error instanceof PlanStaleError) return error
      throw error
    }
  }

  it('is taken where nothing has changed', () => {
    expect(met({})).toBeUndefined()
  })

  it('is taken where a thing is otherwise in what no field of its entry is', () => {
    const [was, is] = [
      'OUTSIDE_METRIC_THRESHOLD CONNECTIONS > 200',
      'OUTSIDE_METRIC_THRESHOLD CONNECTIONS > 300',
    ]
    expect(() =>
      refuseOtherThanSaved(shown(change({ what: was })), shown(change({ what: is }))),
    ).not.toThrow()
  })

  it.each([
    ['another thing', 'HOST_DOWN'],
    ['nothing', undefined],
    ['another of several that have a number in their names', 'OUTSIDE_METRIC_THRESHOLD CONNECTIONS_2 > 200'],
  ])('is refused where it says that the thing is %s', (_, said) => {
    const is = change({ what: 'OUTSIDE_METRIC_THRESHOLD CONNECTIONS_1 > 200' })
    expect(() =>
      refuseOtherThanSaved(shown(change(said === undefined ? {} : { what: said })), shown(is)),
    ).toThrow(/what the plan file shows is not what would be planned now: things\.a/u)
  })

  it.each([
    [
      'another state',
      { ...state, lineage: 'two' },
      /the state here is not the one that the plan was made with/,
    ],
    [
      'no state',
      { lineage: '', serial: 0, exists: false },
      /there is no state here, but the plan was made with one/,
    ],
  ])('that meets %s says so, also beside other manifests, and where to apply it', (_, other, message) => {
    for (const sources of [plan.sources, [{ file: 'deploymgmt.yaml', sha256: 'b' }]]) {
      const error = met({ state: other, sources })
      expect(error?.message).toMatch(message)
      expect(error?.describe()).toContain('Apply the plan in the folder where it was made')
    }
  })

  it('that meets a later state of the same history is to be made again', () => {
    const error = met({ state: { ...state, serial: 4 } })
    expect(error?.message).toContain('the state has changed since the plan was made (serial 3 then, 4 now)')
    expect(error?.describe()).toContain('Plan again')
  })
})

describe('what settling a lost request has left to do', () => {
  const both = change({
    fields: [
      { path: 'desc', before: 'a', after: 'b' },
      { path: 'roles', before: null, after: ['A'] },
    ],
  })
  const left = (fresh: ReportedChange[], settled = 'things.a') =>
    withoutSettled([both], fresh, new Set([settled])).flat()

  it('is no divergence where the whole of it was shown', () => {
    expect(left([])).toEqual([])
    expect(left([both])).toEqual([])
    expect(left([change({ action: 'unchanged', fields: [] })])).toEqual([])
    expect(left([change({ fields: [{ path: 'desc', before: 'other', after: 'b' }] })])).toEqual([])
  })

  it.each<[string, ReportedChange]>([
    ['another act', change({ action: 'create' })],
    ['another value', change({ fields: [{ path: 'desc', before: 'a', after: 'c' }] })],
    ['another field', change({ fields: [{ path: 'other', before: 'a', after: 'b' }] })],
    ['another request', change({ requests: [{ method: 'PATCH', path: '/things/b' }] })],
    ['the need of a flag', change({ needs: [{ flag: '--allow-delete', because: 'it deletes' }] })],
    ['somebody else’s act', suspect(event('1'))],
  ])('is one with %s that was not shown', (_, fresh) => {
    expect(left([fresh])).toEqual([both, fresh])
  })

  it('is one where nothing was lost', () => {
    expect(left([], 'things.b')).toEqual([both])
  })
})

const found = (before: ReportedChange[], after: ReportedChange[]) =>
  saying(() => refuseOtherThanSaved(shown(...before), shown(...after)))

it.each([
  ['another installation', { about: { ...about, baseUrl: 'https://staging.example.com/api/public/v1.0' } }],
  ['another manifest', { about: { ...about, manifest: 'staging' } }],
  ['another name for a project', { about: { ...about, projects: [{ id: PROJECT, name: 'sandbox' }] } }],
  ['another organization', { about: { ...about, organizations: [] } }],
  ['targets', { targeted: ['things.b'] }],
])('a saved plan that shows %s than what it is applied to is refused', (_, edit) => {
  const fresh = { ...shown(change()), about }
  expect(() => refuseOtherThanSaved({ ...fresh, ...edit }, fresh)).toThrow(PlanStaleError)
  const elsewhere = { ...about, publicKey: 'applier', files: ['../deploymgmt.yaml'] }
  expect(() => refuseOtherThanSaved({ ...fresh, about: elsewhere }, fresh)).not.toThrow()
})

describe('a refusal', () => {
  it('names who did it, when, and by which event', () => {
    expect(saying(() => refuseOtherThanSaved(shown(change()), shown(suspect(event('1')))))).toContain(
      'things.a (key "oncall", 2026-11-20 12:00:00 UTC, THING_CHANGED, event 1)',
    )
    const { publicKey: _, ...unnamed } = event('3')
    const person = { ...unnamed, username: 'sam@example.com' }
    expect(saying(() => refuseOtherThanShown([change()], [suspect(person, event('1'))], {}))).toContain(
      'things.a (user sam@example.com, 2026-11-20 12:00:00 UTC, THING_CHANGED, event 3, and 1 more)',
    )
    expect(saying(() => refuseOtherThanShown([change()], [suspect(unnamed)], {}))).toContain('(someone, ')
  })

  it('says which fields are other than shown, as they were and as they are', () => {
    const fields = [{ path: 'desc', before: 'theirs', after: 'b' }]
    const drifted = change({ fields, evidence: { level: 'read' } })
    expect(found([change()], [drifted])).toContain(': things.a: desc a → theirs')
    expect(found([], [drifted])).toContain(': things.a: desc b → theirs')
    expect(found([change()], [])).toContain(': things.a: desc a → b')
    expect(found([change()], [change({ ...drifted, evidence: { level: 'suspect' } })])).not.toContain('→')
    expect(found([change()], [change({ action: 'create' })])).not.toContain('→')
    const actor = {
      publicKey: 'oncall',
      at: '2026-11-20T12:00:00.400Z',
      eventId: '1',
      eventTypeName: 'THING_CHANGED',
      confidence: 'medium',
    } as const
    expect(found([], [{ ...drifted, actor }])).toContain(
      'things.a: desc b → theirs (likely key "oncall", 2026-11-20 12:00:00 UTC, THING_CHANGED, event 1)',
    )
  })

  it('is lifted by an allowed overwrite where the same was shown, and nowhere else', () => {
    const allowed = { allowOverwrite: true }
    const more = change({ fields: [], evidence: { level: 'suspect', events: [event('1')] } })
    expect(saying(() => refuseOtherThanShown([change()], [more], allowed))).toBe('')
    expect(saying(() => refuseOtherThanShown([change()], [], allowed))).toBe('')
    expect(saying(() => refuseOtherThanShown([change()], [blocked], allowed))).toBe('')
    const deletion = change({ action: 'delete' })
    expect(saying(() => refuseOtherThanShown([change()], [deletion], allowed))).toContain('nobody has seen')
    const elsewhere = change({ address: 'things.b' })
    expect(saying(() => refuseOtherThanShown([change()], [change(), elsewhere], allowed))).toContain(
      'things.b',
    )
  })
})
