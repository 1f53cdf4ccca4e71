import { describe, expect, it, test } from 'vitest'
import {
  failing,
  fixtureWith,
  manifestWith,
  ONCALL,
  ORG,
  PROJECT,
  type Key,
} from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { applied, at, begin, beginApplied, only, writesIn, type Scene } from '../support/scene.ts'

let here: Scene

const DOWN = '5d1113b25a115342acc2d0f3'
const REPORTER: Key = { publicKey: 'reporter', privateKey: '7a6b5c4d-canary-0003' }

const entry = (name: string, means: string): string =>
  only('alertConfigurations', `  ${name}: { ${means}, enabled: true, onRemove: restore }`)

describe('what an entry outside of the target claims', () => {
  it('is not written by a selector within it', async () => {
    here = await beginApplied(
      only(
        'alertConfigurations',
        `  all: { select: { eventTypeName: HOST_DOWN }, enabled: true }\n  noisy: { alertConfigId: ${DOWN}, enabled: false }`,
      ),
    )
    await here.forgetRequests()
    const { code, document } = await here.json('plan', '--target', 'alertConfigurations.all', '--all')
    expect(code).toBe(0)
    expect(at(document, `alertConfigurations.all[${DOWN}]`)).toBeUndefined()
    expect(document.summary).toMatchObject({ update: 0, adopt: 0 })
  })

  it.each([
    ['an id', `alertConfigId: ${DOWN}`],
    ['a selector', 'select: { eventTypeName: HOST_DOWN }'],
  ])('by %s is not put back by the removal of the entry that stood for it before', async (_, claim) => {
    here = await beginApplied(entry('noisy', `alertConfigId: ${DOWN}`))
    await here.forgetRequests()
    await here.manifest(entry('other', claim))
    const { code, stderr } = await here.run(
      'apply',
      '--auto-approve',
      '--target',
      'alertConfigurations.noisy',
    )
    expect(code).toBe(1)
    expect(stderr).toContain('alertConfigurations.noisy is now declared as alertConfigurations.other')
    expect(await writesIn(here)).toEqual([])
    await applied(here, entry('other', claim))
    await applied(here, only('alertConfigurations', ''))
    const { projects } = await here.control('GET', 'dump')
    expect(projects[0].alertConfigs.find(({ id }: any) => id === DOWN).enabled).toBe(false)
  })

  it('by another selector that disagrees is an error, as it is without a target', async () => {
    here = await begin({
      manifest: only(
        'alertConfigurations',
        `  on: { select: { eventTypeName: HOST_DOWN }, enabled: true }\n  off: { select: { eventTypeName: HOST_DOWN }, enabled: false }`,
      ),
    })
    const { code, stderr } = await here.run('plan', '--target', 'alertConfigurations.on')
    expect(code).toBe(1)
    expect(stderr).toContain('DM-SELECTOR-CONFLICT')
  })
})

describe('two selectors that disagree about one thing', () => {
  const ON = '  on: { select: { eventTypeName: HOST_DOWN }, enabled: true }'
  const OFF = '  off: { select: { eventTypeName: HOST_DOWN }, enabled: false }'
  const ID = `  noisy: { alertConfigId: ${DOWN}, enabled: false }`

  it.each([
    ['before', [ID, ON, OFF]],
    ['between', [ON, ID, OFF]],
    ['behind', [ON, OFF, ID]],
  ])('both yield to an id that is declared %s them', async (_, entries) => {
    here = await begin({ manifest: only('alertConfigurations', entries.join('\n')) })
    const { code, document } = await here.json('plan')
    expect(code).toBe(0)
    expect(at(document, 'alertConfigurations.noisy')).toMatchObject({ action: 'adopt' })
  })
})

test('a drift report does not accuse the own key where an event was read twice', async () => {
  const manifest = (description: string): string =>
    manifestWith({
      apiKeys: '',
      users: '',
      integrations: '',
      alertConfigurations: `  noisy: { alertConfigId: ${DOWN}, enabled: false }`,
      maintenanceWindows: `  migration: { alertTypeNames: [HOST], startDate: 2126-12-05T02:00:00Z, endDate: 2126-12-05T04:00:00Z, description: ${description} }`,
    })
  here = await beginApplied(manifest('first'))
  await here.control('POST', 'clock', { advance: 'PT10S' })
  await here.manifest(manifest('second'))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  await here.control('POST', 'clock', { advance: 'PT10S' })
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${DOWN}`, { enabled: true }, ONCALL)
  const { document } = await here.json('drift')
  const verdicts = document.resources.map(({ address, verdict, actor }: any) => [
    address,
    verdict,
    actor?.publicKey,
  ])
  expect(Object.fromEntries(verdicts.map(([address, ...rest]: string[]) => [address, rest]))).toEqual({
    'alertConfigurations.noisy': ['drifted', ONCALL.publicKey],
    'maintenanceWindows.migration': ['unverifiable', undefined],
  })
})

const judged = async (): Promise<any> => at((await here.json('drift')).document, 'alertConfigurations.down')

describe('who is named for what is seen', () => {
  const CONFIG = `/groups/${PROJECT}/alertConfigs/${DOWN}`
  const anyMemberWrites = { 'open.unstatedRoles': 'membership' }
  const on = only('alertConfigurations', `  down: { alertConfigId: ${DOWN}, enabled: true }`)
  const turned = async (enabled: boolean, key = ONCALL): Promise<void> => {
    await here.control('POST', 'clock', { advance: 'PT10S' })
    await here.outside('PATCH', CONFIG, { enabled }, key)
  }
  /** The same without an event. */
  const turnedUnseen = async (enabled: boolean): Promise<void> => {
    await failing(here, 'PATCH', 'alertConfigs', { fault: 'lose-events', count: 1 })
    await turned(enabled)
  }
  it('is nobody whose only event has the opposite effect', async () => {
    here = await beginApplied(on)
    await turnedUnseen(false)
    await turned(true)
    await turnedUnseen(false)
    const drift = await judged()
    expect(drift).toMatchObject({ verdict: 'drifted', fields: [{ path: 'enabled', after: false }] })
    expect(drift.evidence.events).toMatchObject([{ eventTypeName: 'ALERT_CONFIG_ENABLED_AUDIT' }])
    expect(drift.actor).toBeUndefined()
    const plan = at((await here.json('plan')).document, 'alertConfigurations.down')
    expect(plan.action).toBe('update')
    expect(plan.actor).toBeUndefined()
  })

  it('is nobody whose act somebody else has undone since', async () => {
    here = await beginApplied(on, { settings: anyMemberWrites })
    await turned(false)
    await turned(true, REPORTER)
    await turnedUnseen(false)
    expect((await judged()).actor).toBeUndefined()
  })

  it('is the last one with this effect, and for sure, whatever was done before', async () => {
    here = await beginApplied(on, { settings: anyMemberWrites })
    await turned(false)
    await turned(true)
    await turned(false, REPORTER)
    expect((await judged()).actor).toMatchObject({ publicKey: REPORTER.publicKey, confidence: 'high' })
  })

  it('is not who did the same before the last write undid it', async () => {
    here = await beginApplied(on.replace('true', 'false'), { settings: anyMemberWrites })
    await turned(true)
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await turned(true, REPORTER)
    expect((await judged()).actor).toMatchObject({ publicKey: REPORTER.publicKey })
  })

  it('is the one who brought it about, not one who did the same again', async () => {
    here = await beginApplied(on, { settings: anyMemberWrites })
    await turned(false)
    await turned(false, REPORTER)
    expect((await judged()).actor).toMatchObject({ publicKey: ONCALL.publicKey })
  })
})

const WINDOW = 'maintenanceWindows.w'
const oneWindow = (description: string): string =>
  only(
    'maintenanceWindows',
    `  w: { alertTypeNames: [HOST], startDate: 2126-12-05T02:00:00Z, endDate: 2126-12-05T04:00:00Z, description: ${description} }`,
  )
const pathOfWindow = async (): Promise<string> =>
  `/groups/${PROJECT}/maintenanceWindows/${(await here.state()).resources[WINDOW].identity.id}`
const drifted = async (address: string): Promise<any> => at((await here.json('drift')).document, address)

const person = (n: number, username: string, key: Key): object => ({
  id: `5d2e1f0a9b8c7d6e5f4a3b2${n}`,
  username,
  roles: [{ roleName: 'ORG_OWNER', orgId: ORG }],
  apiKeys: [key],
})

const twoWindows = `${oneWindow('first')}  other: { alertTypeNames: [HOST], startDate: 2035-02-06T02:00:00Z, endDate: 2035-02-06T04:00:00Z, description: other }
`

describe('where the calling key is a person', () => {
  const SAM: Key = { publicKey: 'sampersonal', privateKey: '3b7e5f11-canary-0009' }
  const PAT: Key = { publicKey: 'patpersonal', privateKey: '3b7e5f11-canary-0010' }
  const asSam = async (fault?: object): Promise<void> => {
    const users = [person(1, 'sam@example.com', SAM), person(2, 'pat@example.com', PAT)]
    here = await begin({ fixture: { ...fixtureWith(), users }, proxied: true })
    here.env['DEPLOYMGMT_PUBLIC_KEY'] = SAM.publicKey
    here.env['DEPLOYMGMT_PRIVATE_KEY'] = SAM.privateKey
    if (fault !== undefined) await here.control('POST', 'faults', fault)
    await applied(here, oneWindow('first'))
    await here.control('POST', 'clock', { advance: 'PT10S' })
  }

  it('neither of two persons is named who acted at the same moment', async () => {
    await asSam()
    const path = await pathOfWindow()
    here.proxy.steer(async ({ write }, forward) => {
      if (write === 1) await here.outside('PATCH', path, { description: 'theirs' }, PAT)
      return forward()
    })
    await applied(here, oneWindow('second'))
    const drift = await drifted(WINDOW)
    expect(drift).toMatchObject({ verdict: 'drifted', evidence: { level: 'suspect' } })
    expect(drift.actor).toBeUndefined()
    expect(drift.evidence.events).toMatchObject([{ mayBeOwn: true }])
    const { stdout } = await here.run('drift')
    expect(stdout).not.toMatch(/sam@|pat@/)
  })

  it('nobody is told that what a person made was not made, where no event shows under which name we write', async () => {
    await asSam({ method: 'POST', path: 'Windows', fault: 'lose-events', count: 1 })
    await here.manifest(twoWindows)
    await here.control('POST', 'faults', { method: 'POST', path: 'Windows', fault: 'reset-after', count: 1 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    await here.control('POST', 'clock', { advance: 'PT5M' })
    for (const command of [['plan'], ['apply', '--auto-approve']]) {
      const { code, stderr } = await here.run(...command)
      expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.not.stringContaining('not created') })
      expect(stderr).toMatch(/[0-9a-f]{24}.*the person who owns it made/s)
    }
    const { projects } = await here.control('GET', 'dump')
    expect(projects[0].maintenanceWindows).toHaveLength(2)
  })

  it('nobody is named for our own write of before the last one, which a clock that is set back shows again', async () => {
    await asSam()
    await here.control('POST', 'clock', { advance: 'PT3H' })
    await applied(here, oneWindow('second'))
    const now = new Date(Date.now() + 3_600_000).toISOString()
    await here.control('POST', 'clock', { now })
    const drift = await drifted(WINDOW)
    expect(drift.actor).toBeUndefined()
    expect(drift.evidence.events).toMatchObject([{ mayBeOwn: true }])
  })

  it('a person is named who acted at another time', async () => {
    await asSam()
    await here.outside('PATCH', await pathOfWindow(), { description: 'theirs' }, PAT)
    expect((await drifted(WINDOW)).actor).toMatchObject({ username: 'pat@example.com' })
  })
})

describe('what several others did', () => {
  it('is blamed on none of them where the newest event speaks of other fields', async () => {
    here = await beginApplied(
      only('apiKeys', '  rep: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting, roles: [ORG_MEMBER] }'),
      { settings: { 'open.unstatedRoles': 'membership' } },
    )
    const path = `/orgs/${ORG}/apiKeys/5c47503320eef5699e1cce8f`
    await here.control('POST', 'clock', { advance: 'PT10S' })
    await here.outside('PATCH', path, { desc: 'theirs' }, ONCALL)
    expect((await drifted('apiKeys.rep')).actor).toMatchObject({
      publicKey: ONCALL.publicKey,
      confidence: 'high',
    })
    await here.outside('PATCH', path, { roles: ['ORG_MEMBER'] }, REPORTER)
    expect(await drifted('apiKeys.rep')).toMatchObject({
      verdict: 'drifted',
      fields: [{ path: 'desc' }, { path: 'roles' }],
      evidence: { events: [{ publicKey: REPORTER.publicKey }, { publicKey: ONCALL.publicKey }] },
    })
    expect((await drifted('apiKeys.rep')).actor).toBeUndefined()
  })

  it('is blamed on none of them alone where events may speak of any field', async () => {
    here = await beginApplied(oneWindow('first'), { settings: { 'open.unstatedRoles': 'membership' } })
    await here.control('POST', 'clock', { advance: 'PT10S' })
    const path = await pathOfWindow()
    await here.outside('PATCH', path, { description: 'theirs' }, ONCALL)
    await here.outside('PATCH', path, { alertTypeNames: ['AGENT'] }, REPORTER)
    expect(await drifted(WINDOW)).toMatchObject({ verdict: 'drifted', fields: { length: 4 } })
    expect((await drifted(WINDOW)).actor).toBeUndefined()
    const { stdout } = await here.run('drift')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('by key "reporter" and key "oncall", the newest on')
  })
})

const described = (description: string): string =>
  only(
    'maintenanceWindows',
    `  migration: { alertTypeNames: [HOST], startDate: 2126-12-05T02:00:00Z, endDate: 2126-12-05T04:00:00Z, description: ${description} }`,
  )

test('what a person has accepted stays so beside a write of the same second', async () => {
  here = await beginApplied(described('first'))
  await here.control('POST', 'clock', { now: '2100-01-01T00:00:00.100Z' })
  const { id } = (await windowsAt(here))[0]
  await here.outside(
    'PATCH',
    `/groups/${PROJECT}/maintenanceWindows/${id}`,
    { description: 'theirs' },
    ONCALL,
  )
  expect(await here.run('state', 'accept', 'maintenanceWindows.migration')).toMatchObject({ code: 0 })
  await applied(here, described('second'))
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
})

test('a plan shows what is sent to learn of another field, where that writes over what was accepted', async () => {
  const key = '5c47503320eef5699e1cce8f'
  const write = async (body: object): Promise<void> => {
    await here.control('POST', 'clock', { advance: 'PT10S' })
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${key}`, body, ONCALL)
    await here.control('POST', 'clock', { advance: 'PT10S' })
  }
  here = await beginApplied(
    only('apiKeys', `  reporting: { apiKeyId: ${key}, desc: Reporting, roles: [ORG_MEMBER] }`),
  )
  await write({ desc: 'theirs' })
  expect(await here.run('state', 'accept', 'apiKeys.reporting')).toMatchObject({ code: 0 })
  await write({ roles: ['ORG_READ_ONLY'] })
  const { fields, notes } = at((await here.json('plan')).document, 'apiKeys.reporting')
  expect(fields).toEqual([
    expect.objectContaining({ path: 'roles', after: ['ORG_MEMBER'] }),
    expect.objectContaining({ path: 'desc', before: null, after: 'Reporting' }),
  ])
  expect(JSON.stringify(notes)).toContain('desc')
  const { stdout } = await here.run('plan')
  expect(stdout).toMatch(/desc .*Reporting/)
})
