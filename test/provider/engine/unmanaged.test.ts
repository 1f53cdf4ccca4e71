import { kinds } from '@deploymgmt/provider/kinds'
import { expect, it } from 'vitest'
import { findUnmanaged, type UnmanagedFacts } from '../../../provider/engine/judge/unmanaged.ts'
import { NO_EVENTS } from '../../../provider/engine/read/events.ts'
import type { Declaration, RecordedResource } from '../../../provider/engine/values/model.ts'
import { placesIn } from '../../../provider/engine/values/places.ts'

const ORG = '5980cfdf0b6d97029d82f86e'
const PROJECT = '5c8100bcf2a30b12ff88258f'
const ELSEWHERE = '5c8100bcf2a30b12ff882590'
const ID = '5d2e1f0a9b8c7d6e5f4a3b2c'
const END = '2035-01-01T00:00:00Z'

const declaration: Declaration = {
  name: 'test',
  entries: [],
  organizations: new Map([[PROJECT, ORG]]),
  orgIds: [ORG],
  projectNames: new Map(),
}

let count = 0
const event = (given: Record<string, unknown>) => ({
  id: String((count += 1)).padStart(24, '0'),
  created: '2026-11-20T12:00:00Z',
  publicKey: 'oncall',
  orgId: ORG,
  ...given,
})
const added = (given: Record<string, unknown> = {}) =>
  event({
    eventTypeName: 'MAINTENANCE_WINDOW_ADDED_AUDIT',
    groupId: PROJECT,
    maintenanceWindowId: ID,
    raw: { alertTypeNames: ['HOST'], endDate: END },
    ...given,
  })
const roles = (given: Record<string, unknown> = {}) =>
  event({ eventTypeName: 'USER_ROLES_CHANGED_AUDIT', targetUsername: 'eve@example.com', ...given })
const keyRoles = (given: Record<string, unknown> = {}) =>
  event({ eventTypeName: 'API_KEY_ROLES_CHANGED', targetPublicKey: 'theirs', ...given })
/** Shows that the calling key belongs to no person. */
const own = event({ eventTypeName: 'SOMETHING', publicKey: 'ciadmin' })

const found = (events: readonly Record<string, unknown>[], given: Partial<UnmanagedFacts> = {}) =>
  findUnmanaged({
    definitions: kinds,
    declaration,
    records: {},
    elsewhere: [],
    known: [],
    strangers: [],
    places: placesIn(kinds, given.declaration ?? declaration),
    observed: {
      things: new Map(),
      scopes: new Map(),
      absent: new Set(),
      refused: new Map(),
      parts: new Map(),
    },
    isClaimed: () => false,
    log: { ...NO_EVENTS, events: [own, ...events], read: new Set([ORG]) },
    ownKey: 'ciadmin',
    now: new Date('2027-01-01T00:00:00Z'),
    isOpen: () => false,
    ...given,
  })
const named = (...given: Parameters<typeof found>): (string | undefined)[] =>
  found(...given).things.map(({ identity }) => Object.values(identity).at(-1))

const record = (given: Partial<RecordedResource>): RecordedResource => ({
  kind: 'user',
  identity: {},
  applied: {},
  answer: null,
  adopted: null,
  onRemove: 'forget',
  lastWrite: null,
  watermark: '2026-11-20T12:00:00Z',
  ...given,
})

it.each([
  ['a window', added(), ID],
  ['a user', roles(), 'eve@example.com'],
  ['a key', keyRoles(), 'theirs'],
])('%s that somebody else has made is found, and what they are', (_, seen, name) => {
  expect(named([seen])).toEqual([name])
})

it.each([
  ['in a project that is not named', added({ groupId: ELSEWHERE })],
  ['of which no event tells the project', added({ groupId: undefined })],
  ['that is over', added({ raw: { endDate: '2026-12-01T00:00:00Z' } })],
  ['that the calling key has made', added({ publicKey: 'ciadmin' })],
])('a window %s is not called unmanaged', (_, seen) => {
  expect(named([seen])).toEqual([])
})

it('the calling key itself is not called unmanaged, whoever gives it roles', () => {
  expect(named([keyRoles({ targetPublicKey: 'ciadmin' })])).toEqual([])
})

it('what was deleted since is not called unmanaged, but what was made again after that is', () => {
  const deleted = roles({ eventTypeName: 'USER_DELETED_AUDIT', created: '2026-11-21T12:00:00Z' })
  expect(named([roles(), deleted])).toEqual([])
  expect(named([roles(), deleted, roles({ created: '2026-11-22T12:00:00Z' })])).toEqual(['eve@example.com'])
})

it.each([
  ['user', 'REMOVED_FROM_GROUP', roles],
  ['key', 'API_KEY_REMOVED_FROM_GROUP', keyRoles],
] as const)('a %s that has left a project has left nothing else', (_, eventTypeName, shown) => {
  const inProject = { groupId: PROJECT }
  const gone = shown({ eventTypeName, ...inProject, created: '2026-11-21T12:00:00Z' })
  expect(named([shown(), gone])).toHaveLength(1)
  expect(named([shown(inProject), gone])).toEqual([])
  expect(named([shown(inProject), shown(), gone])).toHaveLength(1)
  expect(named([shown({ ...inProject, created: '2026-11-22T12:00:00Z' }), gone])).toHaveLength(1)
})

it('who has left an organization has left its projects, and no other organization', () => {
  const gone = roles({ eventTypeName: 'REMOVED_FROM_ORG', created: '2026-11-21T12:00:00Z' })
  expect(named([roles(), roles({ groupId: PROJECT, orgId: undefined }), gone])).toEqual([])
  const there = { declaration: { ...declaration, orgIds: [ORG, ELSEWHERE] } }
  expect(named([roles({ orgId: ELSEWHERE }), gone], there)).toEqual(['eve@example.com'])
})

it.each([
  ['theirs', keyRoles(), { eventTypeName: 'API_KEY_ACCESS_LIST_ENTRY_DELETED', targetPublicKey: 'theirs' }],
  ['eve@example.com', roles(), { eventTypeName: 'REMOVED_FROM_TEAM', targetUsername: 'eve@example.com' }],
])('an event that something of %s was deleted does not mean that they are gone', (name, shown, later) => {
  expect(named([shown, event({ ...later, created: '2026-11-21T12:00:00Z' })])).toEqual([name])
})

it.each(['JOINED_ORG', 'JOINED_GROUP', 'USER_CREATED_AUDIT', 'INVITED_TO_ORG', 'X_USER_ROLES_CHANGED_AUDIT'])(
  '%s shows a user',
  (eventTypeName) => {
    expect(named([roles({ eventTypeName })])).toEqual(['eve@example.com'])
  },
)

it('a key of which events tell its access list alone is shown', () => {
  const eventTypeName = 'API_KEY_ACCESS_LIST_ENTRY_DELETED'
  expect(named([keyRoles({ eventTypeName })])).toEqual(['theirs'])
})

it.each([
  ['API_KEY_DELETED', keyRoles],
  ['X_API_KEY_DELETED_AUDIT', keyRoles],
  ['USER_DELETED_AUDIT', roles],
] as const)('after %s, a user or key is gone, wherever it was', (eventTypeName, shown) => {
  const gone = shown({ eventTypeName, created: '2026-11-21T12:00:00Z' })
  expect(named([shown(), shown({ groupId: PROJECT }), gone])).toEqual([])
})

it('what events told of a user before they left is not reported once they are back', () => {
  const gone = roles({ eventTypeName: 'REMOVED_FROM_ORG', created: '2026-11-21T12:00:00Z' })
  const before = roles({ raw: { roles: [{ roleName: 'ORG_OWNER' }] } })
  const joined = roles({ eventTypeName: 'JOINED_ORG', created: '2026-11-22T12:00:00Z' })
  expect(found([before]).things).toMatchObject([{ what: expect.stringContaining('ORG_OWNER') }])
  expect(found([before, gone, joined]).things).toMatchObject([{ what: 'its roles are not known' }])
})

it('roles in a project that the declaration does not name are not reported', () => {
  expect(named([roles({ groupId: ELSEWHERE })])).toEqual([])
})

it.each([
  ['declared', { declaration: { ...declaration, entries: [] } }],
  ['recorded', { records: { 'users.eve': record({ applied: { username: 'eve@example.com' } }) } }],
  ['recorded by another state', { elsewhere: [record({ applied: { username: 'eve@example.com' } })] }],
])('what is %s is not called unmanaged', (how, given) => {
  const entry = {
    kind: 'user',
    address: 'users.eve',
    values: { username: 'eve@example.com' },
    onRemove: 'forget',
    protect: false,
    ignoreChanges: [],
    declaredAt: undefined,
  }
  const more = how === 'declared' ? { declaration: { ...declaration, entries: [entry] } } : given
  expect(named([roles()], more)).toEqual([])
})

it('the newest event tells until when a window is', () => {
  const later = added({
    eventTypeName: 'MAINTENANCE_WINDOW_CHANGED_AUDIT',
    created: '2026-11-21T12:00:00Z',
    raw: { endDate: '2026-12-01T00:00:00Z' },
  })
  expect(named([later, added()])).toEqual([])
  expect(found([added(), { ...later, raw: { endDate: '2040-01-01T00:00:00Z' } }]).things).toMatchObject([
    { what: 'silences HOST until 2040-01-01T00:00:00Z' },
  ])
})

it.each([[undefined], [null], ['text'], [{ endDate: 7 }], [{ endDate: null }], [[]]])(
  'where an event tells no end, as in %j, the window is not called unmanaged, and a warning says so',
  (raw) => {
    expect(found([added({ raw })])).toMatchObject({
      things: [],
      warnings: [{ code: 'unmanaged-end-untold', ids: [ID] }],
    })
  },
)

it.each([[{ roles: 'x' }], [{ roles: [null, 7, {}] }], [undefined]])(
  'a user whose event tells no roles, as in %j, is listed all the same',
  (raw) => {
    expect(found([roles({ raw })]).things).toMatchObject([{ what: 'its roles are not known' }])
  },
)

it('whose roles were all taken away has none, as far as events tell', () => {
  const before = roles({ raw: { roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }] } })
  const after = roles({ raw: { roles: [], invitations: [] }, created: '2026-11-21T12:00:00Z' })
  expect(found([before, after]).things).toMatchObject([{ what: 'has no roles, as far as events tell' }])
})

it('who changed it last is named, and less surely where others did something too', () => {
  const sams = roles({ publicKey: undefined, username: 'sam@example.com', created: '2026-11-21T12:00:00Z' })
  expect(found([roles(), sams]).things).toMatchObject([
    { actor: { username: 'sam@example.com', at: '2026-11-21T12:00:00Z', confidence: 'medium' } },
  ])
  expect(found([roles()]).things).toMatchObject([{ actor: { publicKey: 'oncall', confidence: 'high' } }])
  expect(found([roles({ publicKey: undefined })]).things[0]).not.toHaveProperty('actor')
})

it('while a creation is under way, what the calling key makes is not called unmanaged', () => {
  const made = { kind: 'maintenance_window', identity: { projectId: PROJECT, id: ID }, at: END }
  const ours = added({ publicKey: 'ciadmin' })
  expect(named([ours], { strangers: [made] })).toEqual([ID])
  expect(named([ours], { strangers: [made], isOpen: () => true })).toEqual([])
  expect(named([added()], { isOpen: () => true })).toEqual([ID])
})

it('where nothing tells whose key is whose, what a person did can be ours while a creation is under way', () => {
  const log = {
    ...NO_EVENTS,
    events: [roles({ publicKey: undefined, username: 'sam@example.com' })],
    read: new Set([ORG]),
  }
  expect(named([], { log })).toEqual(['eve@example.com'])
  expect(named([], { log, isOpen: () => true })).toEqual([])
})

it('a declared key whose public half is unknown can be any key, so none is called unmanaged', () => {
  const entry = {
    kind: 'api_key',
    address: 'apiKeys.reporting',
    values: { orgId: ORG, apiKeyId: ID },
    onRemove: 'forget',
    protect: false,
    ignoreChanges: [],
    declaredAt: undefined,
  }
  const withKey = { declaration: { ...declaration, entries: [entry] } }
  expect(found([keyRoles()], withKey)).toMatchObject({
    things: [],
    warnings: [{ code: 'unmanaged-not-told-apart', address: 'apiKeys.reporting', field: 'publicKey' }],
  })
  const known = record({
    kind: 'api_key',
    identity: { orgId: ORG, apiKeyId: ID },
    answer: { publicKey: 'reporter' },
  })
  const records = { 'apiKeys.reporting': known }
  expect(named([keyRoles(), keyRoles({ targetPublicKey: 'reporter' })], { ...withKey, records })).toEqual([
    'theirs',
  ])
})
