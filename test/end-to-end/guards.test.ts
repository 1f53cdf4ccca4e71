import { describe, expect, it } from 'vitest'
import type { Ran } from '../support/command.ts'
import { ORG, PROJECT, type Installation } from '../support/installation.ts'
import {
  actionsIn,
  begin,
  beginApplied,
  CI_ID,
  driftOf,
  expectApply,
  group,
  keyAt,
  manifestOf,
  ONCALL_ID,
  org,
  PAT,
  planOf,
  REPORTER,
  sam,
  SAM,
  userAt,
} from '../support/people.ts'
import { writesIn } from '../support/scene.ts'

let here: Installation

const OWNER = '--allow-owner-removal'
const key = (name: string, id: string, roles: string): string =>
  `  ${name}: { apiKeyId: ${id}, desc: ${name}, roles: [${roles}] }`
const lines = (...texts: string[]): string => texts.join('\n')
const user = (name: string, id: string, roles: readonly string[], more = ''): string =>
  `  ${name}: { userId: ${id}, rolesComplete: true, onRemove: revoke, roles: [${roles
    .map((roleName) => `{ roleName: ${roleName}, orgId: ${ORG} }`)
    .join(', ')}]${more} }`

const both = (samRoles: string[], patRoles: string[], keyRole: string) => ({
  users: lines(user('sam', SAM, samRoles), user('pat', PAT, patRoles)),
  apiKeys: key('oncall', ONCALL_ID, keyRole),
})
const id = (index: number): string => index.toString(16).padStart(24, '5d2e1f0a9b8c7d6e5f4a3b00')

/** What was said, without the line ends of the screen. */
const told = ({ stdout, stderr }: Ran): string => `${stdout} ${stderr}`.replaceAll(/\s+/g, ' ')

/** Flags that the changes of a plan need, by address. */
const needsIn = async (): Promise<string[]> =>
  (await planOf(here)).changes.flatMap(({ address, needs = [] }) =>
    needs.map(({ flag }: { flag: string }) => `${address} ${flag}`),
  )

describe('the owner role', () => {
  it('of the calling key is not taken without the flag, though others hold it', async () => {
    const apiKeys = lines(key('ci', CI_ID, 'ORG_OWNER'), key('oncall', ONCALL_ID, 'ORG_OWNER'))
    here = await beginApplied({ apiKeys })
    await here.manifest(manifestOf({ apiKeys: apiKeys.replace('ORG_OWNER', 'ORG_MEMBER') }))
    expect(await needsIn()).toEqual([`apiKeys.ci ${OWNER}`])
    await here.forgetRequests()
    const { stderr } = await expectApply(here, 1)
    expect(stderr).toMatch(/DM-GUARD.*the calling key would lose its own ORG_OWNER.*--allow-owner-removal/s)
    expect(await writesIn(here)).toEqual([])
    await expectApply(here, 0, OWNER)
    expect((await keyAt(here, CI_ID)).roles).toEqual(['ORG_MEMBER'])
  })

  it('of a key that is seen for the first time is guarded by what the first answer shows', async () => {
    here = await begin({
      apiKeys: lines(key('ci', CI_ID, 'ORG_MEMBER'), key('oncall', ONCALL_ID, 'ORG_MEMBER')),
    })
    expect(await needsIn()).toEqual([])
    const said = told(await expectApply(here, 1))
    expect(said).toContain('the calling key would lose its own ORG_OWNER')
    expect(said).toMatch(/apiKeys\.oncall: ORG_OWNER of \w+ would lose the last holder that was seen/)
    expect(await keyAt(here, CI_ID)).toEqual({ desc: 'ci', roles: ['ORG_OWNER'] })
    expect(await keyAt(here, ONCALL_ID)).toEqual({ desc: 'oncall', roles: ['ORG_OWNER'] })
    expect(await needsIn()).toEqual([`apiKeys.ci ${OWNER}`, `apiKeys.oncall ${OWNER}`])
  })

  it('is not taken from the last two who were seen in one plan, nor handed to one who is only invited', async () => {
    const people = [
      sam(org('ORG_OWNER')),
      { id: PAT, username: 'pat@example.com', roles: [org('ORG_MEMBER')] },
    ]
    here = await beginApplied({ ...both(['ORG_OWNER'], ['ORG_MEMBER'], 'ORG_OWNER'), people })
    await here.manifest(manifestOf(both(['ORG_MEMBER'], ['ORG_MEMBER'], 'ORG_OWNER')))
    expect(await needsIn()).toEqual([])
    await here.manifest(manifestOf(both(['ORG_MEMBER'], ['ORG_MEMBER', 'ORG_OWNER'], 'ORG_MEMBER')))
    expect(await needsIn()).toEqual([`apiKeys.oncall ${OWNER}`, `users.sam ${OWNER}`])
    await expectApply(here, 1)
    expect((await userAt(here)).roles).toEqual(['ORG_OWNER'])
    await expectApply(here, 0, OWNER)
    expect(await userAt(here)).toMatchObject({ roles: [], invitations: ['ORG_MEMBER'] })
    await here.manifest(manifestOf(both(['ORG_MEMBER'], ['ORG_MEMBER'], 'ORG_MEMBER')))
    expect(await needsIn()).toEqual([`users.pat ${OWNER}`])
  })

  it('is not taken by the revocation of the last owner who was seen', async () => {
    here = await beginApplied({ users: user('sam', SAM, ['ORG_OWNER']), people: [sam(org('ORG_OWNER'))] })
    await here.manifest(manifestOf({}))
    expect(await needsIn()).toEqual([`users.sam ${OWNER}`])
    const { stderr } = await expectApply(here, 1)
    expect(stderr).toContain(OWNER)
    expect((await userAt(here)).roles).toEqual(['ORG_OWNER'])
    await here.manifest(manifestOf({ apiKeys: key('oncall', ONCALL_ID, 'ORG_OWNER') }))
    await expectApply(here, 1)
    await expectApply(here, 0, '--target', 'apiKeys.*')
    expect(await needsIn()).toEqual([])
    await expectApply(here, 0)
    expect((await userAt(here)).roles).toEqual([])
  })

  it('that someone else gave since is seen before it is taken again', async () => {
    const apiKeys = key('ci', CI_ID, 'ORG_MEMBER')
    here = await begin({ apiKeys: key('ci', CI_ID, 'ORG_OWNER') })
    await here.manifest(manifestOf({ apiKeys }))
    await expectApply(here, 1)
    await expectApply(here, 0, OWNER)
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${CI_ID}`, { roles: ['ORG_OWNER'] })
    expect((await planOf(here)).changes).toMatchObject([{ action: 'update', fields: [{ path: 'roles' }] }])
    expect(told(await expectApply(here, 1))).toContain('the calling key would lose its own ORG_OWNER')
    expect((await keyAt(here, CI_ID)).roles).toEqual(['ORG_OWNER'])
  })
})

describe('a plan that removes much', () => {
  const people = Array.from({ length: 10 }, (_, index) => ({
    id: id(index),
    username: `p${index}@example.com`,
    roles: [org('ORG_MEMBER')],
  }))
  const crowd = (count: number): string =>
    lines(...people.slice(0, count).map((each, index) => user(`p${index}`, each.id, ['ORG_MEMBER'])))

  it('needs --allow-mass-removal above 30 % of at least ten, counted within the target', async () => {
    here = await beginApplied({ users: crowd(10), people })
    await here.manifest(manifestOf({ users: crowd(7) }))
    expect((await planOf(here)).document.summary).toMatchObject({ release: 3 })
    await here.manifest(manifestOf({ users: crowd(6) }))
    await here.forgetRequests()
    const { stderr } = await expectApply(here, 1)
    expect(stderr).toContain('4 of 10 recorded things of the kind user would be removed, more than 30 %')
    expect(stderr).toContain('--allow-mass-removal')
    expect(await writesIn(here)).toEqual([])
    const targeted = await planOf(here, '--target', 'users.p9')
    expect(targeted).toMatchObject({ code: 2, document: { inSync: false, summary: { release: 1 } } })
    await expectApply(here, 0, '--target', 'users.p9')
    expect(await writesIn(here)).toEqual([`PATCH /users/${id(9)}`])
    // Nine are left, which is too few to be a mass.
    await expectApply(here, 0)
    expect(Object.keys((await here.state()).resources)).toHaveLength(6)
    expect(await planOf(here, '--target', 'users.p1')).toMatchObject({ code: 0, document: { inSync: false } })
  })
})

describe('what cannot be verified', () => {
  it('is a difference with --strict alone', async () => {
    here = await beginApplied({ apiKeys: key('reporting', REPORTER, 'ORG_READ_ONLY') })
    for (const [command, ...words] of [
      ['plan', '--detailed-exitcode'],
      ['drift'],
      ['apply', '--auto-approve'],
    ]) {
      expect(await here.run(command ?? '', ...words)).toMatchObject({ code: 0 })
      expect(await here.run(command ?? '', ...words, '--strict')).toMatchObject({ code: 2 })
    }
    expect(await here.run('plan', '--strict')).toMatchObject({ code: 0 })
  })

  it('is judged by events also where a person, and not a key of the organization, is calling', async () => {
    const people = [
      { ...sam(org('ORG_OWNER')), apiKeys: [{ publicKey: 'sampersonal', privateKey: 'canary-0009' }] },
      { id: PAT, username: 'pat@example.com', roles: [org('ORG_MEMBER'), group('GROUP_READ_ONLY')] },
    ]
    const roles = `roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }, { roleName: GROUP_READ_ONLY, projectId: ${PROJECT} }]`
    here = await begin({
      apiKeys: key('reporting', REPORTER, 'ORG_MEMBER'),
      users: `  pat: { userId: ${PAT}, rolesComplete: true, ${roles} }`,
      people,
    })
    Object.assign(here.env, { DEPLOYMGMT_PUBLIC_KEY: 'sampersonal', DEPLOYMGMT_PRIVATE_KEY: 'canary-0009' })
    await expectApply(here, 0)
    expect(await planOf(here)).toMatchObject({ code: 0 })
    await here.outside('PATCH', `/users/${PAT}`, { roles: [org('ORG_READ_ONLY')] })
    expect(await driftOf(here, 'users.pat')).toMatchObject({ code: 2, actor: { publicKey: 'oncall' } })
    expect(await actionsIn(here)).toContain('update users.pat')
  })

  it('is judged by the events of every organization that a user has roles in', async () => {
    const users = `  sam: { userId: ${SAM}, rolesComplete: true, roles: [{ roleName: GLOBAL_READ_ONLY }, { roleName: GROUP_READ_ONLY, projectId: ${PROJECT} }, { roleName: ORG_MEMBER, orgId: ${ORG} }] }`
    const root = { publicKey: 'root', privateKey: 'canary-0010', roles: [{ roleName: 'GLOBAL_OWNER' }] }
    here = await begin({ people: [sam(org('ORG_MEMBER'))], organization: { apiKeys: [root] } })
    Object.assign(here.env, { DEPLOYMGMT_PUBLIC_KEY: 'root', DEPLOYMGMT_PRIVATE_KEY: 'canary-0010' })
    await here.manifest(manifestOf({ users }).replace(/^defaults:\n.*\n.*\n/m, ''))
    await expectApply(here, 0)
    expect(await planOf(here)).toMatchObject({ code: 0, changes: [{ evidence: { level: 'recorded' } }] })
    await here.outside('PATCH', `/users/${SAM}`, { roles: [org('ORG_READ_ONLY')] }, root)
    expect(await driftOf(here, 'users.sam')).toMatchObject({ code: 2, verdict: 'drifted' })
  })

  it('is judged without events where the key may not read them, and wrong credentials stay an error', async () => {
    const settings = { 'open.impliedRoles': 'none', 'open.errorBody': 'minimal' }
    here = await beginApplied({
      users: user('sam', SAM, ['ORG_MEMBER']),
      people: [sam(org('ORG_MEMBER'))],
      settings,
    })
    const { code, document } = await planOf(here)
    expect({ code, warnings: document.warnings }).toMatchObject({
      code: 0,
      warnings: [expect.stringContaining('401')],
    })
    Object.assign(here.env, { DEPLOYMGMT_PRIVATE_KEY: 'wrong' })
    expect((await here.run('plan')).stderr).toContain('DM-AUTH-REJECTED')
  })
})
