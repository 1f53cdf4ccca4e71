import { describe, expect, it, test } from 'vitest'
import { ORG, PROJECT, failing } from '../support/installation.ts'
import { applied, begin, beginApplied, only, writesIn, type Scene } from '../support/scene.ts'

let here: Scene

const DATES = 'alertTypeNames: [HOST], startDate: 2035-01-01T00:00:00Z, endDate: 2035-01-02T00:00:00Z'
const windowNamed = (name: string, more = ''): string =>
  only('maintenanceWindows', `  ${name}: { ${DATES}${more} }`)
const recordAt = async (address: string): Promise<any> => (await here.state()).resources[address]

const one = (more: string): string =>
  only('alertConfigurations', `  c: { alertConfigId: 5d1113b25a115342acc2d1aa, ${more} }`)
const bothSet = ', onRemove: forget, protect: true'
const bothChanged = [
  { path: 'onRemove', before: 'end', after: 'forget' },
  { path: 'protect', before: false, after: true },
]

test('a renamed entry records with its new name what it says of its removal now, and the plan says how well it is known', async () => {
  here = await beginApplied(windowNamed('a'))
  await here.manifest(windowNamed('b', ', onRemove: forget, protect: true'))
  const { document } = await here.json('plan')
  expect(document.changes).toMatchObject([
    { action: 'moved', requests: [], evidence: { level: 'recorded' }, fields: bothChanged },
  ])
  await applied(here, windowNamed('b', ', onRemove: forget, protect: true'))
  expect(await recordAt('maintenanceWindows.b')).toMatchObject({ onRemove: 'forget', protect: true })
})

const created = (first: string, more = ''): string =>
  only(
    'users',
    `  dana: { username: d@e.f, emailAddress: d@e.f, firstName: ${first}, lastName: R, mobileNumber: "1", password: { env: DANA_INITIAL_PASSWORD }, roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }]${more} }`,
  )

describe('onRemove or protect that was edited', () => {
  it('is a change of what is recorded: shown, agreed to, and no request', async () => {
    here = await beginApplied(windowNamed('a'))
    await here.forgetRequests()
    await here.manifest(windowNamed('a', bothSet))
    expect(await here.json('plan', '--detailed-exitcode')).toMatchObject({
      code: 2,
      document: {
        inSync: false,
        summary: { update: 1 },
        changes: [{ action: 'update', reasonCode: 'settings-differ', fields: bothChanged, requests: [] }],
      },
    })
    expect((await here.run('plan')).stdout).toMatch(/onRemove +"?end"? → "?forget/)
    expect(await here.run('apply')).toMatchObject({ code: 1, stderr: expect.stringContaining('terminal') })
    const { stdout } = await here.run('apply', '--auto-approve')
    expect(stdout).toContain('1 changed')
    expect(await recordAt('maintenanceWindows.a')).toMatchObject({ onRemove: 'forget', protect: true })
    expect((await here.run('state', 'show', 'maintenanceWindows.a')).stdout).toMatch(
      /onRemove +forget\n +protect +true/,
    )
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    await applied(here, windowNamed('a'))
    expect(await recordAt('maintenanceWindows.a')).not.toHaveProperty('protect')
    expect(await writesIn(here)).toEqual([])
  })

  it('is shown with the fields that are sent, and is recorded by that write', async () => {
    here = await beginApplied(one('enabled: true'))
    await here.manifest(one('enabled: false, onRemove: restore'))
    const { document } = await here.json('plan')
    expect(document.changes).toMatchObject([
      {
        action: 'update',
        fields: [{ path: 'enabled' }, { path: 'onRemove' }],
        requests: [{ method: 'PATCH' }],
      },
    ])
    await applied(here, one('enabled: false, onRemove: restore'))
    await here.manifest(one('enabled: false'))
    expect((await here.json('plan')).document.changes).toMatchObject([
      { action: 'update', fields: [{ path: 'onRemove', before: 'restore', after: 'forget' }], requests: [] },
    ])
  })

  it('makes a saved plan that is carried out without a request, and refused once it is done', async () => {
    here = await beginApplied(windowNamed('a'))
    await here.manifest(windowNamed('a', bothSet))
    await here.run('plan', '--out', 'plan.bin')
    expect((await here.json('plan', 'plan.bin')).document.changes).toMatchObject([{ fields: bothChanged }])
    expect(await here.run('apply', 'plan.bin', '--auto-approve')).toMatchObject({ code: 0 })
    expect((await here.run('apply', 'plan.bin', '--auto-approve')).stderr).toContain('DM-PLAN-STALE')
  })
})

test('revoke that was declared later takes the roles of a user who is taken out', async () => {
  here = await beginApplied(created('Dana'))
  const roles = async () => {
    const [{ roles: held, invitations }] = (await here.control('GET', 'dump')).users
    return [...held, ...invitations]
  }
  await here.manifest(created('Dana', ', onRemove: revoke'))
  const { stdout } = await here.run('plan')
  expect(stdout).toContain('as last applied; cannot be verified')
  await applied(here, created('Dana', ', onRemove: revoke'))
  expect(await roles()).toHaveLength(1)
  await here.manifest(only('users', ''))
  const { changes } = (await here.json('plan')).document
  expect(changes).toMatchObject([
    {
      action: 'release',
      fields: [{ path: 'roles', before: [{ roleName: 'ORG_MEMBER', orgId: ORG }], after: [] }],
    },
  ])
  await applied(here, only('users', ''))
  expect(await roles()).toEqual([])
})

test('what an entry says of its removal is recorded even while something of it is blocked', async () => {
  here = await beginApplied(created('Dana'))
  await here.manifest(created('Other', ', onRemove: revoke'))
  expect((await here.json('plan')).document.changes).toMatchObject([
    { action: 'blocked', fields: [{ path: 'firstName' }] },
    { action: 'update', fields: [{ path: 'onRemove', before: 'forget', after: 'revoke' }], requests: [] },
  ])
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
  expect(await recordAt('users.dana')).toMatchObject({ onRemove: 'revoke', applied: { firstName: 'Dana' } })
})

const daily = (hour: number): string =>
  only(
    'maintenanceWindows',
    `  s: { alertTypeNames: [HOST], onRemove: forget, schedule: { rrule: "FREQ=DAILY;BYHOUR=${hour};BYMINUTE=0;BYSECOND=0", timezone: UTC, duration: PT2H, horizon: P3D } }`,
  )

test('an occurrence that a changed rule no longer has is ended, whatever a removal of the entry would do', async () => {
  here = await begin()
  await here.control('POST', 'clock', { now: '2030-01-01T00:00:00Z' })
  await applied(here, daily(2))
  await applied(here, daily(4))
  const { projects } = await here.control('GET', 'dump')
  const open = projects[0].maintenanceWindows.filter(({ endDate }: any) => endDate > '2030-01-01T00:01:00Z')
  expect(open.map(({ startDate }: any) => startDate.slice(11, 13))).toEqual(['04', '04', '04'])
})

const unreleased = (day: string, projects: string): string =>
  only(
    'maintenanceWindows',
    `  w: { alertTypeNames: [HOST], onRemove: forget, startDate: ${day}T00:00:00Z, endDate: ${day}T02:00:00Z, ${projects} }`,
  )

test('a window of an entry for several projects is left as its entry said, once the entry names one project', async () => {
  here = await beginApplied(unreleased('2035-01-06', 'projectIds: [payments]'))
  await here.forgetRequests()
  await applied(here, unreleased('2035-02-06', 'projectId: payments'))
  expect(await writesIn(here)).toEqual([`POST /groups/${PROJECT}/maintenanceWindows/`])
})

describe('a window that someone else changed', () => {
  it('is settled by one assertion, also of fields that are not declared', async () => {
    here = await beginApplied(windowNamed('a'))
    const { identity } = await recordAt('maintenanceWindows.a')
    const start = { startDate: '2034-12-31T00:00:00Z' }
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${identity.id}`, start)
    expect(await here.json('drift')).toMatchObject({ code: 2 })
    await applied(here, windowNamed('a'))
    expect(await here.json('drift')).toMatchObject({ code: 0 })
  })

  it('and thereby ended can be taken out, and is created again if it is declared to go on', async () => {
    here = await begin()
    await here.control('POST', 'clock', { now: '2030-01-01T00:00:00Z' })
    const open = only(
      'maintenanceWindows',
      '  a: { alertTypeNames: [HOST], startDate: 2029-12-31T00:00:00Z, endDate: 2030-01-05T00:00:00Z }\n  b: { alertTypeNames: [BACKUP], startDate: 2029-12-31T00:00:00Z, endDate: 2030-01-05T00:00:00Z }',
    )
    await here.manifest(open.replaceAll('2029-12-31', '2030-01-02'))
    await here.run('apply', '--auto-approve')
    await here.control('POST', 'clock', { now: '2030-01-02T01:00:00Z' })
    for (const name of ['a', 'b']) {
      const { identity } = await recordAt(`maintenanceWindows.${name}`)
      const end = { endDate: '2030-01-02T01:00:10Z' }
      await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${identity.id}`, end)
    }
    await here.control('POST', 'clock', { now: '2030-01-02T02:00:00Z' })
    const [first] = open.replaceAll('2029-12-31', '2030-01-02').split('\n  b:')
    await here.manifest(`${first ?? ''}\n`)
    const { code, document } = await here.json('apply', '--auto-approve')
    expect({ code, byStatus: document.byStatus }).toMatchObject({
      code: 2,
      byStatus: { failed: 0, blocked: 1, expired: 1 },
    })
    expect(await here.json('apply', '--auto-approve')).toMatchObject({
      code: 0,
      document: { byStatus: { done: 1, blocked: 0, expired: 0 } },
    })
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })
})

test('a place that is once not found keeps its record, with what adoption saw', async () => {
  here = await begin()
  const text = only(
    'alertConfigurations',
    '  all: { select: { eventTypeName: REPLICA_SET }, enabled: false, onRemove: restore }',
  )
  await applied(here, text)
  await failing(here, 'GET', 'alertConfigs', { fault: 'status', status: 404, count: 1 })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
  expect(await recordAt('alertConfigurations.all[5d1113b25a115342acc2d1aa]')).toMatchObject({
    adopted: { enabled: true },
  })
})

test('ignoreChanges of a field with a list of its own holds in drift as it does in plan', async () => {
  here = await beginApplied(
    only(
      'apiKeys',
      '  k: { apiKeyId: 5c47503320eef5699e1cce8f, desc: A, accessList: [10.0.0.1], ignoreChanges: [accessList] }',
    ),
  )
  expect(await here.json('drift')).toMatchObject({ code: 0, document: { summary: { drifted: 0 } } })
})

test.each(['__proto__', 'n'.repeat(256), 'a.b', '-a', 'a[]'])(
  'state mv refuses a name that no manifest can have: %s',
  async (name) => {
    here = await beginApplied(windowNamed('a'))
    const { code, stderr } = await here.run(
      'state',
      'mv',
      'maintenanceWindows.a',
      `maintenanceWindows.${name}`,
    )
    expect(code).toBe(1)
    expect(stderr).toContain('is not an address of the section maintenanceWindows\n')
    expect(stderr).toContain('NAME has at most 255 letters, digits, - and _')
    expect(Object.keys((await here.state()).resources)).toEqual(['maintenanceWindows.a'])
  },
)

test('with --format json every state command answers with one document, and an apply of unknown outcome with what resolves it', async () => {
  here = await beginApplied(windowNamed('a'))
  for (const words of [
    ['mv', 'maintenanceWindows.a', 'maintenanceWindows.b'],
    ['accept', 'maintenanceWindows.b'],
    ['forget', 'maintenanceWindows.b'],
  ])
    expect((await here.json('state', ...words)).document).toMatchObject({
      formatVersion: 1,
      done: expect.any(String),
    })
  await failing(here, 'POST', 'maintenanceWindows', { fault: 'reset-after', count: 1 })
  await here.manifest(windowNamed('c'))
  const { code, document } = await here.json('apply', '--auto-approve')
  expect(code).toBe(3)
  expect(document.problems[0].resolve).toEqual(['deploymgmt state resolve maintenanceWindows.c --created ID'])
  // While the request can still take effect, nobody can say that nothing was created.
  expect(Date.parse(document.problems[0].until)).toBeGreaterThan(Date.now())
  const usage = await here.run('apply', '--format', 'json', '--nothing')
  expect(JSON.parse(usage.stdout)).toMatchObject({ type: 'summary', error: { code: 'DM-USAGE' } })
})

test('a reference to a field that is no longer declared is an error, also where the record still has a value', async () => {
  here = await beginApplied(windowNamed('a', ', description: secret'))
  await here.manifest(
    only(
      'maintenanceWindows',
      `  a: { ${DATES} }\n  b: { ${DATES.replace('HOST', 'BACKUP')}, description: "\${maintenanceWindows.a.description}" }`,
    ),
  )
  const { code, stderr } = await here.run('plan')
  expect(code).toBe(1)
  expect(stderr).toContain('maintenanceWindows.a declares no description')
})
