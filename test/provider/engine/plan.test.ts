import { describe, expect, it, test } from 'vitest'
import { kinds } from '@deploymgmt/provider/kinds'
import type { Entry, RecordedResource } from '@deploymgmt/provider/engine'
import { commandWords } from '../../../reconciler/render/wording/words.ts'
import { aboutOf } from '../../../reconciler/render/document/about.ts'
import { planDocument } from '../../../reconciler/render/document/plan-document.ts'
import type { PlanInput } from '../../../provider/engine/plan/input.ts'
import { plan } from '../../../provider/engine/plan/plan.ts'
import { allFrom, NO_EVENTS } from '../../../provider/engine/read/events.ts'

const ORG = '5980cfdf0b6d97029d82f86e'
const PROJECT = '5c8100bcf2a30b12ff88258f'
const NOW = '2026-11-20T12:00:00Z'

const entry = (
  kind: string,
  name: string,
  values: Record<string, unknown>,
  more: Partial<Entry> = {},
): Entry => {
  const definition = kinds.find((each) => each.kind === kind)
  if (definition === undefined) throw new TypeError(kind)
  const onRemove = Object.keys(definition.release)[0] ?? ''
  const address = `${definition.section}.${name}`
  return {
    kind,
    address,
    values,
    onRemove,
    protect: false,
    ignoreChanges: [],
    declaredAt: undefined,
    ...more,
  }
}

const record = (kind: string, more: Partial<RecordedResource>): RecordedResource => ({
  kind,
  identity: {},
  applied: {},
  answer: null,
  adopted: null,
  onRemove: 'forget',
  lastWrite: { from: '2026-11-01T00:00:00Z', to: '2026-11-01T00:00:00Z', by: 'ciadmin', sent: [] },
  watermark: '2026-11-01T00:00:00Z',
  ...more,
})

const planned = (
  input: Partial<PlanInput> & { entries?: readonly Entry[]; events?: readonly Record<string, unknown>[] },
) => {
  const { entries = [], events = [] } = input
  const declaration = {
    name: 'test',
    entries,
    organizations: new Map([[PROJECT, ORG]]),
    orgIds: [ORG],
    projectNames: new Map<string, string>(),
  }
  const made = plan({
    definitions: kinds,
    declaration,
    records: {},
    observed: {
      things: new Map(),
      scopes: new Map(),
      absent: new Set(),
      refused: new Map(),
      parts: new Map(),
    },
    log: { ...NO_EVENTS, events, read: new Set([ORG]) },
    ownKey: 'ciadmin',
    now: new Date(NOW),
    ...input,
  })
  const about = aboutOf({ declaration, sources: [], baseUrl: '', publicKey: 'ciadmin' })
  const facts = {
    about,
    entries,
    toSettle: [],
    requestsSent: 0,
    all: true,
    target: [],
    called: {},
  }
  return {
    needs: made.needs,
    changes: planDocument(made, commandWords(), facts).changes,
    works: made.planned.map(({ work }) => work),
  }
}

const roles = (...names: string[]) => ({ roles: names })
const key = (values: Record<string, unknown>) =>
  entry('api_key', 'k', { orgId: ORG, apiKeyId: 'a1', ...values })
const keyRecord = (
  applied: Record<string, unknown>,
  answer: Record<string, unknown>,
  more: Partial<RecordedResource> = {},
) =>
  record('api_key', {
    identity: { orgId: ORG, apiKeyId: 'a1' },
    applied: { orgId: ORG, apiKeyId: 'a1', ...applied },
    answer: { publicKey: 'reporter', ...answer },
    ...more,
  })
const roleEvent = {
  id: 'e1',
  eventTypeName: 'API_KEY_ROLES_CHANGED',
  created: '2026-11-10T00:00:00Z',
  targetPublicKey: 'reporter',
  publicKey: 'oncall',
  orgId: ORG,
}

const window = (values: Record<string, unknown> = {}, more: Partial<Entry> = {}) =>
  entry(
    'maintenance_window',
    'w',
    {
      projectId: PROJECT,
      alertTypeNames: ['HOST'],
      startDate: '2026-12-01T00:00:00Z',
      endDate: '2026-12-01T02:00:00Z',
      ...values,
    },
    more,
  )
const windowRecord = (applied: Record<string, unknown> = {}, more: Partial<RecordedResource> = {}) =>
  record('maintenance_window', {
    identity: { projectId: PROJECT, id: 'w1' },
    applied: {
      projectId: PROJECT,
      alertTypeNames: ['HOST'],
      startDate: '2026-12-01T00:00:00Z',
      endDate: '2026-12-01T02:00:00Z',
      ...applied,
    },
    onRemove: 'end',
    ...more,
  })
const windowEvent = {
  id: 'e2',
  eventTypeName: 'MAINTENANCE_WINDOW_CHANGED_AUDIT',
  created: '2026-11-10T00:00:00Z',
  maintenanceWindowId: 'w1',
  publicKey: 'oncall',
  groupId: PROJECT,
}

const allFromAt = (...seconds: string[]): number =>
  allFrom(seconds.map((each) => ({ created: `2026-11-20T12:00:${each}Z` })))

describe('what no endpoint shows', () => {
  it('is written where what an answer showed is not what is declared', () => {
    const { changes } = planned({
      entries: [key({ desc: 'd', ...roles('ORG_MEMBER') })],
      records: {
        'apiKeys.k': keyRecord(
          { desc: 'd', ...roles('ORG_READ_ONLY') },
          { desc: 'd', ...roles('ORG_READ_ONLY') },
        ),
      },
    })
    expect(changes).toMatchObject([
      { action: 'update', fields: [{ path: 'roles', before: ['ORG_READ_ONLY'], after: ['ORG_MEMBER'] }] },
    ])
  })

  it('is learnt first where a field is both edited and changed outside, so that guards can look', () => {
    const { works } = planned({
      entries: [key({ desc: 'd', ...roles('ORG_READ_ONLY') })],
      records: {
        'apiKeys.k': keyRecord({ desc: 'd', ...roles('ORG_MEMBER') }, { desc: 'd', ...roles('ORG_MEMBER') }),
      },
      events: [roleEvent],
    })
    expect(works).toMatchObject([{ do: 'write', learnBy: ['desc'], fields: ['roles'] }])
  })

  it('says how to settle an event about fields that are not declared', () => {
    const { changes } = planned({
      entries: [key({ desc: 'd' })],
      records: { 'apiKeys.k': keyRecord({ desc: 'd' }, { desc: 'd', ...roles('ORG_MEMBER') }) },
      events: [roleEvent],
    })
    expect(changes).toMatchObject([
      {
        action: 'unchanged',
        evidence: { level: 'suspect' },
        notes: [expect.stringContaining('state accept')],
      },
    ])
  })

  it('does not claim that no event came where older events were left unread', () => {
    const { changes } = planned({
      entries: [window()],
      records: { 'maintenanceWindows.w': windowRecord() },
      log: { ...NO_EVENTS, read: new Set([ORG]), partly: new Map([[ORG, Infinity]]) },
    })
    expect(changes[0]?.evidence.note).toContain('Not all events since then were read.')
  })

  it('does not say that some are unread where all since its last write were read', () => {
    const partly = new Map([[ORG, Date.parse('2001-01-01T00:00:01Z')]])
    const { changes } = planned({
      entries: [window()],
      records: { 'maintenanceWindows.w': windowRecord() },
      log: { ...NO_EVENTS, read: new Set([ORG]), partly },
    })
    expect(changes[0]?.evidence.note).not.toContain('Not all events')
  })

  it('knows from when on all events were read, where they came newest first', () => {
    expect(allFromAt('09', '07', '07', '05')).toBe(Date.parse('2026-11-20T12:00:06Z'))
    expect(allFromAt('05', '09')).toBe(Infinity)
    expect(allFromAt()).toBe(Infinity)
  })
})

describe('a window that should have ended', () => {
  const over = { startDate: '2026-11-05T00:00:00Z', endDate: '2026-11-05T02:00:00Z' }

  it('is expired where no event says otherwise', () => {
    const { changes } = planned({
      entries: [window(over)],
      records: { 'maintenanceWindows.w': windowRecord(over) },
    })
    expect(changes).toMatchObject([{ action: 'expired', requests: [] }])
  })

  it('is blocked where someone has changed it since: it may go on', () => {
    const { changes } = planned({
      entries: [window(over)],
      records: { 'maintenanceWindows.w': windowRecord(over) },
      events: [windowEvent],
    })
    expect(changes).toMatchObject([{ action: 'blocked', actor: { publicKey: 'oncall' } }])
  })

  it('is ended by its removal where someone has changed it since', () => {
    const { changes, works } = planned({
      records: { 'maintenanceWindows.w': windowRecord(over) },
      events: [windowEvent],
    })
    expect(changes).toMatchObject([{ action: 'release', requests: [{ method: 'PATCH' }] }])
    const [work] = works
    expect(work?.do === 'release' && work.way.body(work.record, new Date(NOW))).toEqual({
      startDate: '2026-11-20T12:00:01Z',
      endDate: '2026-11-20T12:00:02Z',
    })
  })
})

test.each([
  [{ endDate: '2026-12-01T01:00:00Z' }, 'blocked'],
  [{ startDate: '2026-12-01T01:00:00Z' }, 'blocked'],
  [{ endDate: '2026-12-01T03:00:00Z' }, 'update'],
  [{ alertTypeNames: ['HOST', 'AGENT'] }, 'update'],
  [{ alertTypeNames: ['AGENT'] }, 'blocked'],
])('protect lets no write narrow a window: %j is %s', (edit, action) => {
  const { changes } = planned({
    entries: [window(edit, { protect: true })],
    records: { 'maintenanceWindows.w': windowRecord({}, { protect: true }) },
  })
  expect(changes).toMatchObject([{ action }])
})

test('guards of the whole plan count things that are replaced because their project was edited', () => {
  const names = Array.from({ length: 12 }, (_, index) => `w${index}`)
  const { needs } = planned({
    entries: names.map((name, index) => ({
      ...window({ projectId: 'typo', description: String(index) }),
      address: `maintenanceWindows.${name}`,
    })),
    records: Object.fromEntries(
      names.map((name, index) => [
        `maintenanceWindows.${name}`,
        windowRecord({ description: String(index) }, { identity: { projectId: PROJECT, id: name } }),
      ]),
    ),
  })
  expect(needs).toMatchObject([{ flag: '--allow-mass-removal' }])
})

const ofTen = (field: string, unseen = 10) => ({
  flag: '--allow-mass-change',
  because: {
    code: 'changes-many',
    kind: 'maintenance_window',
    field,
    changed: 10,
    unseen,
    total: 10,
    places: [{ place: { projectId: PROJECT }, count: 10 }],
  },
})

describe('a field of many things', () => {
  const ten = Array.from({ length: 10 }, (_, index) => `w${index}`)
  const needsOf = (
    more: Partial<RecordedResource>,
    description = 'new',
    events: Record<string, unknown>[] = [],
  ) =>
    planned({
      entries: ten.map((name) => ({ ...window({ description }), address: `maintenanceWindows.${name}` })),
      records: Object.fromEntries(
        ten.map((id) => [
          `maintenanceWindows.${id}`,
          windowRecord({ description: 'old' }, { identity: { projectId: PROJECT, id }, ...more }),
        ]),
      ),
      events,
    }).needs
  it('that is declared otherwise, or was touched by others since, has to be asked for', () => {
    expect(needsOf({})).toEqual([ofTen('description', 0)])
    const touched = ten.map((id) => ({
      id: `e-${id}`,
      eventTypeName: 'MAINTENANCE_WINDOW_CHANGED',
      created: '2026-11-10T00:00:00Z',
      maintenanceWindowId: id,
      publicKey: 'oncall',
      orgId: ORG,
    }))
    expect(needsOf({}, 'old', touched)).toEqual(
      ['alertTypeNames', 'startDate', 'endDate', 'description'].map((field) => ofTen(field)),
    )
  })

  it('that is sent again because an answer was lost needs no new consent, unless its value was edited', () => {
    const unsure = ['startDate', 'endDate', 'description']
    expect(needsOf({ unsure }, 'old')).toEqual([])
    expect(needsOf({ unsure })).toEqual([ofTen('description')])
  })
})

test('a place that the service does not know blocks what is declared for it, and releases what was recorded of it', () => {
  const place = JSON.stringify([['projectId', PROJECT]])
  const observed = {
    things: new Map([[`alert_configuration 24:${PROJECT} 2:c2`, 'missing' as const]]),
    scopes: new Map(),
    absent: new Set([place]),
    refused: new Map(),
    parts: new Map(),
  }
  const { changes } = planned({
    entries: [
      entry('alert_configuration', 'all', {
        projectId: PROJECT,
        select: { eventTypeName: 'HOST_DOWN' },
        enabled: true,
      }),
    ],
    records: {
      'alertConfigurations.old': record('alert_configuration', {
        identity: { projectId: PROJECT, alertConfigId: 'c2' },
        applied: { enabled: true },
        adopted: { enabled: false },
        onRemove: 'restore',
      }),
    },
    observed,
  })
  expect(changes).toMatchObject([
    { address: 'alertConfigurations.all', action: 'blocked', reason: expect.stringContaining(PROJECT) },
    { address: 'alertConfigurations.old', action: 'release', requests: [] },
  ])
})

test('a creation in a place that a reading has just shown to be none is blocked', () => {
  const absent = new Set([JSON.stringify([['projectId', PROJECT]])])
  const observed = { things: new Map(), scopes: new Map(), absent, refused: new Map(), parts: new Map() }
  const { changes } = planned({ entries: [window({})], observed })
  expect(changes).toMatchObject([
    {
      action: 'blocked',
      requests: [],
      reason: expect.stringContaining(`was not found at the service: ${PROJECT}`),
    },
  ])
})

const memberRole = { roleName: 'ORG_MEMBER', orgId: ORG }
const userRecord = (applied: readonly object[], leftover: readonly object[]) =>
  record('user', {
    identity: { userId: 'u1' },
    applied: { userId: 'u1', username: 'dana', roles: applied },
    answer: { username: 'dana', roles: leftover },
    onRemove: 'revoke',
    leftover: { roles: leftover },
  })

describe('revoke', () => {
  it('is sent although an earlier narrowing left roles', () => {
    const { changes } = planned({ records: { 'users.dana': userRecord([memberRole], [memberRole]) } })
    expect(changes).toMatchObject([{ action: 'release', requests: [{ method: 'PATCH' }] }])
  })

  it('is not sent again where it left roles itself', () => {
    const { changes } = planned({ records: { 'users.dana': userRecord([], [memberRole]) } })
    expect(changes).toMatchObject([{ action: 'blocked', requests: [] }])
  })
})

describe('a note about what an answer shows of roles', () => {
  const other = { roleName: 'ORG_OWNER', orgId: ORG }
  const ignoring = entry(
    'user',
    'dana',
    { userId: 'u1', username: 'dana', roles: [memberRole] },
    { ignoreChanges: ['roles'], onRemove: 'revoke' },
  )

  it('leaves out what a removal of ours left there', () => {
    const known = userRecord([memberRole], [other])
    const { changes } = planned({
      entries: [ignoring],
      records: { 'users.dana': { ...known, answer: { username: 'dana', roles: [memberRole, other] } } },
    })
    expect(changes).toMatchObject([{ action: 'unchanged' }])
    expect(changes[0]).not.toHaveProperty('notes')
  })

  it('names what nobody declared', () => {
    const { leftover: _, ...known } = userRecord([memberRole], [])
    const { changes } = planned({
      entries: [ignoring],
      records: { 'users.dana': { ...known, answer: { username: 'dana', roles: [memberRole, other] } } },
    })
    expect(changes).toMatchObject([
      { action: 'unchanged', notes: [expect.stringContaining('also has what is not declared')] },
    ])
  })
})
