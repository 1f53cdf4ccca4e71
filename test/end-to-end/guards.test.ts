import { describe, expect, it } from 'vitest'
import type { Ran } from '../support/command.ts'
import { fixtureWith, ORG, PROJECT, type Installation } from '../support/installation.ts'
import {
  plannedActions,
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
import { applied, begin as beginScene, only, OTHER_PROJECT, twoProjects, writesIn } from '../support/scene.ts'

let here: Installation

const OWNER = '--allow-owner-removal'
const CHANGE = '--allow-mass-change'
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

/** All output, with line breaks replaced by spaces. */
const told = ({ stdout, stderr }: Ran): string => `${stdout} ${stderr}`.replaceAll(/\s+/g, ' ')

/** The flags that the changes of a plan need, by address. */
const needsIn = async (): Promise<string[]> =>
  (await planOf(here)).changes.flatMap(({ address, needs = [] }) =>
    needs.map(({ flag }: { flag: string }) => `${address} ${flag}`),
  )

describe('the owner role', () => {
  it('of a key that is seen for the first time is guarded by what the first answer shows', async () => {
    here = await begin({
      apiKeys: lines(key('ci', CI_ID, 'ORG_MEMBER'), key('oncall', ONCALL_ID, 'ORG_MEMBER')),
    })
    expect(await needsIn()).toEqual([])
    const said = told(await expectApply(here, 1))
    expect(said).toContain('the calling key would lose its own ORG_OWNER')
    expect(said).toMatch(
      /apiKeys\.oncall.* it is the last known holder of ORG_OWNER in \w+, and would lose it/,
    )
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

  it('is not counted on where somebody else has written the roles of who was seen with it', async () => {
    const people = [sam(org('ORG_OWNER'))]
    const apiKeys = key('reporter', REPORTER, 'ORG_OWNER')
    here = await beginApplied({ apiKeys, users: user('sam', SAM, ['ORG_OWNER']), people })
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles: ['ORG_MEMBER'] })
    await here.manifest(manifestOf({ apiKeys, users: user('sam', SAM, ['ORG_MEMBER']) }))
    expect(await needsIn()).toEqual([`users.sam ${OWNER}`])
    expect(await here.run('state', 'accept', 'apiKeys.reporter')).toMatchObject({ code: 0 })
    expect(await needsIn()).toEqual([`users.sam ${OWNER}`])
    await expectApply(here, 1)
    expect((await userAt(here)).roles).toEqual(['ORG_OWNER'])
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

const reporterAs = (role: string, desc = 'reporter') =>
  `  reporter: { apiKeyId: ${REPORTER}, desc: ${desc}, roles: [${role}] }`
const escalate = () => here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles: ['ORG_OWNER'] })

describe('the owner role that somebody else has given since', () => {
  it('to a key that was never to have it is taken back without a flag', async () => {
    here = await beginApplied({ apiKeys: reporterAs('ORG_MEMBER') })
    await escalate()
    expect(await needsIn()).toEqual([])
    await expectApply(here, 0, '--target', 'apiKeys.reporter')
    expect((await keyAt(here)).roles).toEqual(['ORG_MEMBER'])
  })

  it('is taken back without a flag where the answer to another write shows it', async () => {
    here = await beginApplied({ apiKeys: reporterAs('ORG_MEMBER') })
    await escalate()
    await here.control('POST', 'faults', {
      method: 'GET',
      path: 'events',
      fault: 'status',
      status: 403,
      count: 100,
    })
    await here.manifest(manifestOf({ apiKeys: reporterAs('ORG_MEMBER', 'other') }))
    const said = told(await expectApply(here, 1))
    expect(said).toContain('--allow-overwrite')
    expect(said).not.toContain('last holder')
    await here.control('DELETE', 'faults')
    expect(await needsIn()).toEqual([])
    await expectApply(here, 0)
    expect((await keyAt(here)).roles).toEqual(['ORG_MEMBER'])
  })

  it('is guarded once it was declared, and where adoption finds it', async () => {
    here = await beginApplied({ apiKeys: reporterAs('ORG_OWNER') })
    await here.manifest(manifestOf({ apiKeys: reporterAs('ORG_MEMBER') }))
    expect(await needsIn()).toEqual([`apiKeys.reporter ${OWNER}`])
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
    here = await begin({ users: crowd(10), people })
    await expectApply(here, 0, CHANGE)
    await here.manifest(manifestOf({ users: crowd(7) }))
    const { document: few } = await planOf(here)
    expect(few.summary).toMatchObject({ release: 3 })
    expect(few).not.toHaveProperty('needs')
    await here.manifest(manifestOf({ users: crowd(6) }))
    await here.forgetRequests()
    const { stderr } = await expectApply(here, 1)
    expect(stderr).toContain('would remove 4 of 10 recorded users, more than 30 %')
    expect(stderr).toContain('--allow-mass-removal')
    expect(await writesIn(here)).toEqual([])
    const targeted = await planOf(here, '--target', 'users.p9')
    expect(targeted).toMatchObject({ code: 2, document: { inSync: false, summary: { release: 1 } } })
    await expectApply(here, 0, '--target', 'users.p9')
    expect(await writesIn(here)).toEqual([`PATCH /users/${id(9)}`])
    // Nine remain, too few for the guard against mass removal.
    await expectApply(here, 0)
    expect(Object.keys((await here.state()).resources)).toHaveLength(6)
    expect(await planOf(here, '--target', 'users.p1')).toMatchObject({ code: 0, document: { inSync: false } })
  })
})

const configs = (count: number, first: string) =>
  Array.from({ length: count }, (_, index) => ({
    id: index.toString(16).padStart(24, first),
    eventTypeName: 'HOST_DOWN',
    enabled: true,
  }))
const byId = (name: string, alertConfigId: string, projectId = PROJECT) =>
  `  ${name}: { projectId: ${projectId}, alertConfigId: "${alertConfigId}", enabled: "\${var.on}" }`
const selected = (enabled: boolean) =>
  only('alertConfigurations', `  all: { select: { eventTypeName: HOST_DOWN }, enabled: ${enabled} }`)

describe('a plan that changes much', () => {
  const ours = configs(8, '5d1113b25a115342acc2a')
  const theirs = configs(4, '5d1113b25a115342acc2b')
  const dozen = only(
    'alertConfigurations',
    lines(
      ...ours.map((each, index) => byId(`ours${index}`, each.id)),
      ...theirs.map((each, index) => byId(`theirs${index}`, each.id, OTHER_PROJECT)),
    ),
    'variables: { on: { default: "true" } }\n',
  )
  const beginDozen = async () => {
    const scene = await beginScene({
      fixture: twoProjects({ alertConfigs: ours }, { alertConfigs: theirs }),
      manifest: dozen,
    })
    here = scene
    return scene
  }

  it('in one field of more than 30 % of at least ten recorded things needs a flag, and is counted by project', async () => {
    await applied(await beginDozen(), dozen)
    await here.forgetRequests()
    const off = ['--var', 'on=false']
    const because = `would change enabled of all 12 alert configurations (8 in payments, 4 in ${OTHER_PROJECT}), more than 30 %`
    expect((await planOf(here, ...off)).document.needs).toEqual([{ flag: CHANGE, because }])
    expect(told(await here.run('plan', ...off))).toContain(`needs ${CHANGE}: ${because}`)
    expect(told(await expectApply(here, 1, ...off))).toContain(
      `${CHANGE}: would change enabled of all 12 alert configurations, more than 30 %`,
    )
    expect(await writesIn(here)).toEqual([])
    const four = ['--target', 'alertConfigurations.theirs*']
    expect((await planOf(here, ...off, ...four)).document.needs).toMatchObject([
      { because: expect.stringContaining('enabled of 4 of 12') },
    ])
    await expectApply(here, 1, ...off, ...four)
    const three = [0, 1, 2].flatMap((index) => ['--target', `alertConfigurations.ours${index}`])
    await expectApply(here, 0, ...off, ...three)
    expect((await planOf(here)).document.needs).toBeUndefined()
    const carriedOut = told(await expectApply(here, 0, ...off, CHANGE))
    expect(carriedOut).toContain(`allowed by ${CHANGE}: would change enabled of 9 of 12 alert configurations`)
    expect(carriedOut).not.toContain('needs ')
    expect(carriedOut).toContain('deploymgmt apply · 9 changed (all turned off) · ')
    expect(await writesIn(here)).toHaveLength(12)
  })

  it('asks for it also where the things are adopted, or stand behind one selector, and not where the live values are as declared', async () => {
    here = await beginScene({ fixture: fixtureWith({ alertConfigs: configs(10, '5d1113b25a115342acc2a') }) })
    await here.manifest(selected(false))
    expect(told(await expectApply(here, 1))).toContain(`would change enabled of all 10 alert configurations`)
    await applied(here, selected(true))
    await here.manifest(selected(false))
    expect((await planOf(here)).document.needs).toMatchObject([{ flag: CHANGE }])
  })

  it('asks for it where values were never seen, and may be other ones', async () => {
    const people = configs(10, '5d1113b25a115342acc2a').map(({ id: userId }, index) => ({
      id: userId,
      username: `p${index}@example.com`,
      roles: [org('ORG_MEMBER')],
    }))
    const users = lines(...people.map((each, index) => user(`p${index}`, `"${each.id}"`, ['ORG_MEMBER'])))
    here = await begin({ users, people })
    expect(told(await expectApply(here, 1))).toContain(
      `${CHANGE}: would change or overwrite unseen roles of all 10 users, more than 30 %`,
    )
    await expectApply(here, 0, CHANGE)
  })

  it('is shown with a saved plan, and takes the flag when that is applied', async () => {
    await applied(await beginDozen(), dozen)
    const { stderr } = await here.run('plan', '--out', 'plan.bin', '--var', 'on=false')
    expect(stderr).toMatch(new RegExp(`apply plan\\.bin --expect-sha256 \\w{64} ${CHANGE}\\n`))
    expect(told(await here.run('plan', 'plan.bin'))).toContain(
      `needs ${CHANGE}: would change enabled of all 12`,
    )
    expect(await here.run('apply', 'plan.bin', '--auto-approve')).toMatchObject({ code: 1 })
    expect(await here.run('apply', 'plan.bin', '--auto-approve', CHANGE)).toMatchObject({ code: 0 })
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
    expect(await plannedActions(here)).toContain('update users.pat')
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
