import { describe, expect, it, test } from 'vitest'
import { CI, fixtureWith, type Installation } from '../support/installation.ts'
import {
  plannedActions,
  begin,
  beginApplied,
  driftOf,
  eventTypes,
  expectApply,
  group,
  keyAt,
  manifestOf,
  ONCALL_ID,
  org,
  placedFully,
  planOf,
  REPORTER,
} from '../support/people.ts'
import { writesIn } from '../support/scene.ts'

let here: Installation

const PATCH = `PATCH /orgs/5980cfdf0b6d97029d82f86e/apiKeys/${REPORTER}`
const reporting = (rest: string, id = REPORTER): string => `  reporting: { apiKeyId: ${id}, ${rest} }`

/** The fixture's organization with other values for the reporting key. */
const organizationWith = (key: object): object => {
  const { organizations } = fixtureWith() as { organizations: { apiKeys: { id: string }[] }[] }
  const keys = organizations[0]?.apiKeys ?? []
  return { apiKeys: keys.map((each) => (each.id === REPORTER ? { ...each, ...key } : each)) }
}

describe('the first write of an adopted key', () => {
  it.each([
    { digest: 'op', roles: 'ORG_READ_ONLY', sent: ['API_KEY_DESCRIPTION_CHANGED'] },
    { digest: 'qop', roles: 'ORG_MEMBER', sent: ['API_KEY_DESCRIPTION_CHANGED', 'API_KEY_ROLES_CHANGED'] },
  ])('sends desc alone, and roles only where the answer differs: $roles', async ({ digest, roles, sent }) => {
    here = await begin({
      apiKeys: reporting(`desc: New, roles: [${roles}]`),
      settings: { 'open.digest': digest },
    })
    const { code, changes } = await planOf(here)
    expect(code).toBe(2)
    expect(changes).toMatchObject([
      {
        action: 'adopt',
        address: 'apiKeys.reporting',
        requests: [{ method: 'PATCH' }],
        evidence: { level: 'unknown' },
      },
    ])
    expect(changes[0].notes[0]).toContain('desc is sent first, without roles')
    expect(changes[0].needs).toBeUndefined()
    await expectApply(here, 0)
    expect(await writesIn(here)).toEqual(sent.map(() => PATCH))
    expect(await eventTypes(here)).toEqual(sent)
    expect(await keyAt(here)).toEqual({ desc: 'New', roles: [roles] })
    expect((await planOf(here)).document).toMatchObject({ inSync: true, summary: { unverifiable: 1 } })
  })

  it('sends desc alone also to a key that was recorded without any write', async () => {
    here = await beginApplied({ apiKeys: reporting('accessList: [192.0.2.0/24, 198.51.100.7]') })
    expect(await writesIn(here)).toEqual([])
    expect(await planOf(here, '--all')).toMatchObject({
      code: 0,
      changes: [{ action: 'unchanged', evidence: { level: 'read' } }],
    })
    expect(await driftOf(here, 'apiKeys.reporting')).toMatchObject({ code: 0, verdict: 'in-sync' })
    await here.manifest(manifestOf({ apiKeys: reporting('desc: New, roles: [ORG_MEMBER]') }))
    const { changes } = await planOf(here)
    expect(changes[0].action).toBe('update')
    expect(changes[0].needs).toBeUndefined()
    await expectApply(here, 0)
    expect(await eventTypes(here)).toEqual(['API_KEY_DESCRIPTION_CHANGED', 'API_KEY_ROLES_CHANGED'])
    expect(await planOf(here)).toMatchObject({ code: 0 })
  })

  it('of roles without desc is refused without --allow-owner-removal, unless they keep the owner', async () => {
    here = await begin({ apiKeys: reporting('roles: [ORG_MEMBER]') })
    const { changes } = await planOf(here)
    expect(changes[0].needs).toMatchObject([{ flag: '--allow-owner-removal' }])
    const { stderr } = await expectApply(here, 1)
    expect(stderr).toContain('its roles were never seen')
    expect(stderr).toContain('repeat the command with --allow-owner-removal')
    expect(await writesIn(here)).toEqual([])
    await expectApply(here, 0, '--allow-owner-removal')
    expect(await keyAt(here)).toEqual({ desc: 'old', roles: ['ORG_MEMBER'] })
    await here.manifest(manifestOf({ apiKeys: reporting('roles: [ORG_OWNER]', ONCALL_ID) }))
    expect((await planOf(here)).changes.map(({ action, needs }) => [action, needs])).toEqual([
      ['adopt', undefined],
      ['release', undefined],
    ])
  })
})

describe('project roles beside the declared ones', () => {
  const organization = organizationWith({ roles: [org('ORG_READ_ONLY'), group('GROUP_READ_ONLY')] })

  it('are no difference, and need no flag while roles are not written', async () => {
    here = await beginApplied({ apiKeys: reporting('desc: New, roles: [ORG_READ_ONLY]'), organization })
    expect(await writesIn(here)).toEqual([PATCH])
    expect(await planOf(here)).toMatchObject({ code: 0 })
  })

  it('make a write of roles need --allow-role-removal, after the answer has shown them', async () => {
    here = await begin({ apiKeys: reporting('desc: New, roles: [ORG_MEMBER]'), organization })
    const first = await expectApply(here, 1)
    expect(first.stdout + first.stderr).toContain('--allow-role-removal')
    expect(await keyAt(here)).toEqual({ desc: 'New', roles: ['GROUP_READ_ONLY', 'ORG_READ_ONLY'] })
    const { changes } = await planOf(here)
    expect(changes).toMatchObject([{ action: 'update', fields: [{ path: 'roles' }] }])
    expect(changes[0].needs).toMatchObject([{ flag: '--allow-role-removal' }])
    await here.forgetRequests()
    await expectApply(here, 1)
    expect(await writesIn(here)).toEqual([])
    await expectApply(here, 0, '--allow-role-removal')
    expect((await keyAt(here)).roles).toContain('ORG_MEMBER')
    expect(await planOf(here)).toMatchObject({ code: 0 })
  })

  it('are theirs, too, where the answer also names the organization of the project', async () => {
    const proxied = await begin({
      apiKeys: reporting('desc: New, roles: [ORG_MEMBER]'),
      organization,
      proxied: true,
    })
    here = proxied
    proxied.proxy.steer(placedFully)
    const { stdout, stderr } = await expectApply(here, 1)
    expect(stdout + stderr).toContain('--allow-role-removal')
    expect((await keyAt(here)).roles).toEqual(['GROUP_READ_ONLY', 'ORG_READ_ONLY'])
  })
})

describe('an access list', () => {
  it('is compared as canonical blocks', async () => {
    const accessList = [
      { cidrBlock: '192.0.2.0/24' },
      { ipAddress: '198.51.100.7' },
      { cidrBlock: '2001:db8::1/128' },
    ]
    here = await begin({
      apiKeys: reporting('accessList: ["2001:DB8:0:0::1", 198.51.100.7/32, 192.0.2.0/24]'),
      organization: organizationWith({ accessList }),
    })
    expect(await planOf(here)).toMatchObject({ changes: [{ action: 'adopt', requests: [] }] })
    await expectApply(here, 0)
    expect(await planOf(here)).toMatchObject({ code: 0 })
  })

  it('that differs is blocked with what it lacks and what it also has, and the rest is applied', async () => {
    here = await begin({ apiKeys: reporting('desc: New, accessList: [192.0.2.0/24, 203.0.113.0/24]') })
    const { changes } = await planOf(here)
    const own = changes.filter(({ address }) => address === 'apiKeys.reporting')
    expect(own.map(({ action }) => action)).toEqual(['adopt', 'blocked'])
    expect((await here.run('schema', 'plan')).stdout).toContain('An address can have several')
    const [, blocked] = own
    expect(blocked).toMatchObject({
      fields: [{ path: 'accessList' }],
      requests: [],
      evidence: { level: 'read' },
    })
    expect(blocked.reason).toMatch(/lacks 203\.0\.113\.0\/24 and also has 198\.51\.100\.7/)
    expect(blocked.byHand).toContain('Access List')
    await expectApply(here, 2)
    expect(await keyAt(here)).toMatchObject({ desc: 'New' })
    // It was never as declared: nobody changed it, and no call of this API can set it.
    expect(await driftOf(here, 'apiKeys.reporting')).toMatchObject({
      code: 0,
      verdict: 'pending',
      reasonCode: 'part-differs',
      fields: [{ path: 'accessList' }],
    })
    await here.manifest(
      manifestOf({ apiKeys: reporting('desc: New, accessList: [], ignoreChanges: [accessList]') }),
    )
    expect(await planOf(here)).toMatchObject({ code: 0 })
  })
})

test('a key of which nothing but a differing access list is declared is blocked, and not also in sync', async () => {
  here = await beginApplied({ apiKeys: reporting('accessList: [192.0.2.0/24, 198.51.100.7]') })
  await here.manifest(manifestOf({ apiKeys: reporting('accessList: [192.0.2.0/24]') }))
  const { changes, document } = await planOf(here, '--all')
  expect(changes).toMatchObject([{ action: 'blocked', fields: [{ path: 'accessList' }] }])
  expect(document.summary).toMatchObject({ blocked: 1, unchanged: 0 })
  await expectApply(here, 2)
})

describe('a key that is not there', () => {
  const absent = '5c47503320eef5699e1cceff'
  it('is found missing by its access list also where the service has a code of its own for that', async () => {
    here = await begin({
      apiKeys: reporting('accessList: []', absent),
      settings: { 'open.errorCodes': 'foreign' },
    })
    expect((await planOf(here)).changes).toMatchObject([{ action: 'blocked' }])
  })

  it.each(['400', '404'])('is blocked, and nothing of it is recorded (%s)', async (status) => {
    here = await begin({
      apiKeys: reporting('desc: New, accessList: []', absent),
      settings: { 'open.apiKeyNotFoundStatus': status },
    })
    const { changes } = await planOf(here)
    expect(changes).toMatchObject([{ action: 'blocked', byHand: expect.stringContaining('Create') }])
    expect(changes[0].reason).toContain('no call to create an API key')
    await expectApply(here, 2)
    await here.manifest(manifestOf({ apiKeys: reporting('desc: New', absent) }))
    const { stdout } = await expectApply(here, 2)
    expect(stdout).toContain('no call to create an API key')
    expect((await here.state()).resources).toEqual({})
  })
})

describe('what an entry says of its own', () => {
  it('protect keeps the roles that the first answer shows from being narrowed', async () => {
    const organization = organizationWith({ roles: [org('ORG_MEMBER'), org('ORG_GROUP_CREATOR')] })
    here = await begin({ apiKeys: reporting('desc: New, roles: [ORG_MEMBER], protect: true'), organization })
    const { stdout } = await expectApply(here, 2)
    expect(stdout).toContain('protect')
    expect((await keyAt(here)).roles).toEqual(['ORG_GROUP_CREATOR', 'ORG_MEMBER'])
    expect(await plannedActions(here)).toEqual(['blocked apiKeys.reporting'])
    await here.manifest(
      manifestOf({
        apiKeys: reporting('desc: New, roles: [ORG_MEMBER, ORG_GROUP_CREATOR, ORG_READ_ONLY], protect: true'),
      }),
    )
    await expectApply(here, 0)
  })

  it('ignoreChanges neither sends nor records what it ignores', async () => {
    here = await beginApplied({ apiKeys: reporting('desc: One, roles: [ORG_READ_ONLY]') })
    await here.manifest(
      manifestOf({ apiKeys: reporting('desc: Two, roles: [ORG_READ_ONLY], ignoreChanges: [desc]') }),
    )
    expect(await planOf(here)).toMatchObject({ code: 0 })
    await expectApply(here, 0)
    expect(await keyAt(here)).toMatchObject({ desc: 'One' })
    await here.outside('PATCH', PATCH.slice(6), { desc: 'Theirs' })
    expect(await planOf(here)).toMatchObject({ code: 0 })
    expect(await driftOf(here, 'apiKeys.reporting')).toMatchObject({ code: 0, verdict: 'unverifiable' })
    await here.manifest(manifestOf({ apiKeys: reporting('desc: Two, roles: [ORG_READ_ONLY]') }))
    expect(await plannedActions(here)).toEqual(['update apiKeys.reporting'])
  })

  it('another address moves it, and another id replaces it', async () => {
    here = await beginApplied({ apiKeys: reporting('desc: New') })
    await here.forgetRequests()
    await here.manifest(manifestOf({ apiKeys: reporting('desc: New').replace('reporting', 'reports') }))
    expect(await plannedActions(here)).toEqual(['moved apiKeys.reports'])
    await expectApply(here, 0)
    expect(await writesIn(here)).toEqual([])
    await here.manifest(manifestOf({ apiKeys: `  reports: { apiKeyId: ${ONCALL_ID}, desc: Theirs }` }))
    expect(await plannedActions(here)).toEqual([
      'adopt apiKeys.reports',
      `release apiKeys.reports[replaced ${REPORTER}]`,
    ])
    await expectApply(here, 0)
    expect(Object.keys((await here.state()).resources)).toEqual(['apiKeys.reports'])
    expect(await keyAt(here)).toMatchObject({ desc: 'New' })
  })
})

test('an entry under a new name takes its record along where another key has its old name by now', async () => {
  here = await beginApplied({ apiKeys: reporting('desc: New, roles: [ORG_MEMBER]') })
  const renamed = `  former: { apiKeyId: ${REPORTER}, desc: New, roles: [ORG_MEMBER] }\n${reporting('desc: On call', ONCALL_ID)}`
  await here.manifest(manifestOf({ apiKeys: renamed }))
  expect((await plannedActions(here)).toSorted()).toEqual(['adopt apiKeys.reporting', 'moved apiKeys.former'])
  expect((await here.json('drift')).document.resources).toMatchObject([
    { address: 'apiKeys.reporting', verdict: 'pending', movedTo: 'apiKeys.former' },
    { address: 'apiKeys.reporting', verdict: 'pending', reasonCode: 'not-recorded-never-seen' },
  ])
  await here.forgetRequests()
  await expectApply(here, 0)
  expect(await writesIn(here)).toEqual([PATCH.replace(REPORTER, ONCALL_ID)])
  expect(await planOf(here)).toMatchObject({ code: 0, document: { inSync: true } })
  expect((await here.json('state', 'list')).document).toMatchObject([
    { address: 'apiKeys.former', id: REPORTER },
    { address: 'apiKeys.reporting', id: ONCALL_ID },
  ])
})

/** An entry with a new name, whose old one is that of another key. */
const renamedAndReused = async (): Promise<void> => {
  here = await beginApplied({ apiKeys: reporting('desc: New, roles: [ORG_MEMBER]') })
  const former = `  former: { apiKeyId: ${REPORTER}, desc: New, roles: [ORG_MEMBER] }`
  await here.manifest(manifestOf({ apiKeys: `${former}\n${reporting('desc: On call', ONCALL_ID)}` }))
  await here.forgetRequests()
}

describe('of an entry whose old name is that of another key by now,', () => {
  test('a target of the old name alone is refused with both names', async () => {
    await renamedAndReused()
    const { code, stderr } = await here.run('apply', '--auto-approve', '--target', 'apiKeys.reporting')
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('apiKeys.reporting is now declared as apiKeys.former'),
    })
    expect(await writesIn(here)).toEqual([])
  })

  test('a target of the new name takes the record along', async () => {
    await renamedAndReused()
    await expectApply(here, 0, '--target', 'apiKeys.former')
    expect(await writesIn(here)).toEqual([])
    expect((await here.json('state', 'list')).document).toMatchObject([
      { address: 'apiKeys.former', id: REPORTER },
    ])
  })
})

test('drift tells of each key once where names have been passed on', async () => {
  const second = `  second: { apiKeyId: ${ONCALL_ID}, desc: On call }`
  here = await beginApplied({ apiKeys: `${reporting('desc: New')}\n${second}` })
  const passedOn = `  second: { apiKeyId: ${REPORTER}, desc: New }\n  third: { apiKeyId: ${ONCALL_ID}, desc: On call }`
  await here.manifest(manifestOf({ apiKeys: passedOn }))
  expect((await here.json('drift')).document.resources).toMatchObject([
    { address: 'apiKeys.reporting', movedTo: 'apiKeys.second' },
    { address: 'apiKeys.second', movedTo: 'apiKeys.third' },
  ])
})

describe('events about a key', () => {
  const apiKeys = reporting('desc: New, roles: [ORG_MEMBER]')

  it('by the same key used elsewhere right after an apply are foreign', async () => {
    here = await beginApplied({ apiKeys })
    expect(await driftOf(here, 'apiKeys.reporting')).toMatchObject({ code: 0, verdict: 'unverifiable' })
    await here.outside('PATCH', PATCH.slice(6), { roles: ['ORG_READ_ONLY'] }, CI)
    expect(await driftOf(here, 'apiKeys.reporting')).toMatchObject({
      code: 2,
      verdict: 'drifted',
      fields: [{ path: 'roles' }],
      // Nothing tells which of the two events is our own.
      evidence: { level: 'suspect', events: [{ publicKey: 'ciadmin', mayBeOwn: true }] },
    })
    expect(await plannedActions(here)).toEqual(['update apiKeys.reporting'])
    await expectApply(here, 0)
    expect((await keyAt(here)).roles).toEqual(['ORG_MEMBER'])
    expect(await planOf(here)).toMatchObject({ code: 0 })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
  })

  it('that come late are found when they come, and can be accepted', async () => {
    here = await beginApplied({
      apiKeys,
      settings: { 'open.eventDelay': 'PT5M', 'open.eventNames': 'foreign' },
    })
    await here.outside('PATCH', PATCH.slice(6), { desc: 'Theirs' })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    await here.control('POST', 'clock', { advance: 'PT6M' })
    expect(await driftOf(here, 'apiKeys.reporting')).toMatchObject({
      code: 2,
      actor: { publicKey: 'oncall' },
    })
    expect((await planOf(here)).changes).toMatchObject([{ action: 'update', evidence: { level: 'suspect' } }])
    expect(await here.run('state', 'accept', 'apiKeys.reporting')).toMatchObject({ code: 0 })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    expect(await here.run('drift', '--strict')).toMatchObject({ code: 2 })
    expect(await planOf(here)).toMatchObject({ code: 0 })
    expect(await keyAt(here)).toMatchObject({ desc: 'Theirs' })
  })

  it('that nobody leaves are said to be invisible, and are no difference', async () => {
    here = await beginApplied({ apiKeys, settings: { 'open.events': 'none' } })
    await here.outside('PATCH', PATCH.slice(6), { desc: 'Theirs' })
    const { code, changes } = await planOf(here)
    expect(code).toBe(0)
    expect(changes[0].evidence).toMatchObject({
      level: 'recorded',
      note: expect.stringContaining('No events visible'),
    })
    expect((await here.json('drift')).document.summary).toMatchObject({ drifted: 0, unverifiable: 1 })
    expect(await planOf(here, '--strict')).toMatchObject({ code: 2 })
  })

  it.each(['401', '403'])('that cannot be read (%s) warn and fail nothing', async (status) => {
    const settings = { 'open.impliedRoles': 'none', 'open.permissionStatus': status }
    here = await beginApplied({
      apiKeys: apiKeys.replace('desc', 'accessList: [192.0.2.0/24, 198.51.100.7], desc'),
      settings,
    })
    await here.outside('PATCH', PATCH.slice(6), { desc: 'Theirs' })
    const { code, document, changes } = await planOf(here)
    expect(code).toBe(0)
    expect(document.warnings[0]).toMatch(/its events cannot be read \(40[13]\).*ORG_MEMBER/)
    expect(changes[0].evidence.note).toContain('events that could show it were not read')
    expect(await here.run('drift')).toMatchObject({ code: 0 })
  })
})
