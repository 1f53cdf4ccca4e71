import { describe, expect, it } from 'vitest'
import { failing, manifestWith, ORG, PROJECT } from '../support/installation.ts'
import { applied, at, begin, beginApplied, only, recorded, type Scene } from '../support/scene.ts'

/** A key that may not read events. */
const READER = { DEPLOYMGMT_PUBLIC_KEY: 'reporter', DEPLOYMGMT_PRIVATE_KEY: '7a6b5c4d-canary-0003' }

const ROLES = `roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }]`
const DANA = `  dana: { username: dana@example.com, emailAddress: dana@example.com, firstName: Dana, lastName: Reyes, mobileNumber: "1", password: { env: DANA_INITIAL_PASSWORD }, ${ROLES} }`
const MANIFEST = manifestWith({ apiKeys: '', integrations: '', users: DANA })

/** Somebody else makes a user an owner, an hour after everything was applied and an hour before now. */
const begun = async (): Promise<Scene> => {
  const here = await beginApplied(MANIFEST)
  await here.control('POST', 'clock', { advance: 'PT1H' })
  const { userId } = (await here.state()).resources['users.dana'].identity
  await here.outside('PATCH', `/users/${userId}`, { roles: [{ roleName: 'ORG_OWNER', orgId: ORG }] })
  await here.control('POST', 'clock', { advance: 'PT1H' })
  return here
}

const asReader = <T>(here: Scene, work: () => Promise<T>): Promise<T> => {
  const before = { ...here.env }
  Object.assign(here.env, READER)
  return work().finally(() => {
    Object.assign(here.env, before)
  })
}

it('what events tell is not accepted by a key that cannot read them, and is told to the next one', async () => {
  const here = await begun()
  const before = await here.state()
  const { code, stderr } = await asReader(here, () => here.run('state', 'accept', 'users.dana'))
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-EVENTS-UNREAD') })
  expect(stderr).toContain(`organization ${ORG}: its events cannot be read`)
  expect((await here.state()).resources).toEqual(before.resources)
  const { document } = await here.json('drift')
  expect(at(document, 'users.dana')).toMatchObject({ verdict: 'drifted' })
})

it('drift that is accepted is not called over where events were not read', async () => {
  const here = await begun()
  expect(await here.run('drift', 'accept', 'users.dana', '--reason', 'asked')).toMatchObject({ code: 0 })
  const { document } = await asReader(here, () => here.json('drift', '--unmanaged', 'off'))
  expect(document.warnings.join('\n')).not.toContain('can be removed')
  expect(at(document, 'users.dana')).toMatchObject({
    verdict: 'unverifiable',
    evidence: { level: 'recorded', eventsUnread: true },
  })
  const { stdout } = await asReader(here, () => here.run('drift', '--unmanaged', 'off'))
  expect(stdout).toContain('events that could show it were not read')
})

it.each([
  ['a page', 'text/html', '<html>Not here</html>'],
  ['a text', 'text/plain', 'no such route'],
])('%s that refuses the list of events only lowers the evidence', async (_, type, body) => {
  const here = await begin({ manifest: MANIFEST, proxied: true })
  await applied(here, MANIFEST)
  here.proxy.steer(async ({ authorized, path }, forward) =>
    authorized && path.includes('/events')
      ? { status: 404, headers: { 'content-type': type }, body }
      : forward(),
  )
  const { code, document } = await here.json('plan')
  expect(code).toBe(0)
  expect(document.warnings.join('\n')).toContain(
    `organization ${ORG}: its events cannot be read (404), and it is not the service that has answered`,
  )
  expect(at(document, 'users.dana')).toMatchObject({ action: 'unchanged', evidence: { eventsUnread: true } })
  expect((await here.run('drift')).code).toBe(0)
  expect((await here.run('adopt')).stderr).toContain('its events cannot be read (404)')
  const inventory = await here.run('inventory')
  expect(inventory.stdout + inventory.stderr).toContain('organization_events')
  expect([inventory.code, inventory.stderr.includes('DM-MALFORMED-ANSWER')]).toEqual([0, false])
})

it('nor where it was edited since, so that it is pending', async () => {
  const here = await begun()
  expect(await here.run('drift', 'accept', 'users.dana', '--reason', 'asked')).toMatchObject({ code: 0 })
  const edited = DANA.replace('roles: [', `roles: [{ roleName: ORG_READ_ONLY, orgId: ${ORG} }, `)
  await here.manifest(manifestWith({ apiKeys: '', integrations: '', users: edited }))
  const { document } = await asReader(here, () => here.json('drift', '--unmanaged', 'off'))
  expect(at(document, 'users.dana')).toMatchObject({ verdict: 'pending', evidence: { eventsUnread: true } })
  expect(document.warnings.join('\n')).not.toContain('can be removed')
})

const OVER = only(
  'maintenanceWindows',
  '  move: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }',
)

it('a window is not called over, or forgotten, by a key that cannot read whether it was prolonged', async () => {
  const here = await beginApplied(OVER)
  const { id } = (await here.state()).resources['maintenanceWindows.move'].identity
  const path = `/groups/${PROJECT}/maintenanceWindows/${id}`
  await here.outside('PATCH', path, { endDate: '2035-01-06T08:00:00Z' })
  await here.control('POST', 'clock', { now: '2035-01-06T05:00:00Z' })
  const { document } = await asReader(here, () => here.json('drift', '--unmanaged', 'off'))
  expect(at(document, 'maintenanceWindows.move').reason).toContain('events that could show it were not read')
  await here.manifest(only('maintenanceWindows', ''))
  expect(await asReader(here, () => here.run('apply', '--auto-approve'))).toMatchObject({ code: 0 })
  expect((await here.state()).resources).toHaveProperty(['maintenanceWindows.move'])
  // Once events can be read, it is ended because it is no longer declared.
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect((await here.state()).resources).toEqual({})
  const { projects } = await here.control('GET', 'dump')
  const windows = projects.find(({ id: each }: any) => each === PROJECT).maintenanceWindows
  expect(windows.find((each: any) => each.id === id).endDate < '2035-01-06T06').toBe(true)
})

it('nothing is said to be without drift by a key that cannot read events', async () => {
  const here = await begun()
  const one = await asReader(here, () => here.run('drift', 'accept', 'users.dana', '--reason', 'asked'))
  expect(one).toMatchObject({ code: 1 })
  expect(one.stderr).toContain('it is not known whether users.dana has drifted')
  const all = await asReader(here, () => here.run('drift', 'accept', '--baseline', '--reason', 'asked'))
  expect(all.stderr).toContain(`organization ${ORG}: its events cannot be read`)
})

it('unread events are not said to tell nothing', async () => {
  const here = await begun()
  const { alertConfigId } = (await here.state()).resources['alertConfigurations.noisy'].identity
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${alertConfigId}`, { enabled: true })
  for (const command of ['plan', 'drift']) {
    const { stdout } = await asReader(here, () => here.run(command))
    expect(stdout).toContain('alertConfigurations.noisy')
    expect(stdout).not.toMatch(/no event\s+tells/)
  }
})

it('what events tell of values is told without a look for what nobody declares, too', async () => {
  const here = await begun()
  const [with_, without] = [
    await here.json('drift', '--target', 'users.dana', '--unmanaged', 'report'),
    await here.json('drift', '--target', 'users.dana', '--unmanaged', 'off'),
  ].map(({ document }) => at(document, 'users.dana').fields)
  expect(JSON.stringify(with_)).toContain('ORG_OWNER')
  expect(without).toEqual(with_)
})

const windowNamed = (name: string, day: string, more = ''): string =>
  `  ${name}: { alertTypeNames: [HOST], startDate: ${day}T02:00:00Z, endDate: ${day}T04:00:00Z${more} }`
/** The key may write, but may not read events. */
const refusingEvents = (here: Scene): Promise<unknown> =>
  failing(here, 'GET', '/events', { fault: 'status', status: 403, count: 1000 })
const idOf = async (here: Scene, address: string): Promise<string> =>
  (await here.state()).resources[address].identity['id']

it('a window that may have been prolonged stays recorded where another one takes its name', async () => {
  const two = [windowNamed('a', '2035-01-06'), windowNamed('b', '2035-02-06')].join('\n')
  const here = await beginApplied(only('maintenanceWindows', two))
  const id = await idOf(here, 'maintenanceWindows.a')
  await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, {
    endDate: '2035-01-20T08:00:00Z',
  })
  await here.control('POST', 'clock', { now: '2035-01-06T05:00:00Z' })
  await here.manifest(only('maintenanceWindows', windowNamed('a', '2035-02-06')))
  await refusingEvents(here)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect((await here.state()).resources).toHaveProperty([`maintenanceWindows.a[replaced ${id}]`])
  await here.control('DELETE', 'faults')
  // Once events can be read, it is ended.
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(Object.keys((await here.state()).resources)).toEqual(['maintenanceWindows.a'])
  const { projects } = await here.control('GET', 'dump')
  const windows = projects.find(({ id: each }: any) => each === PROJECT).maintenanceWindows
  expect(windows.find((each: any) => each.id === id).endDate < '2035-01-06T06').toBe(true)
})

it('nor is it forgotten where a change of it is of unknown outcome', async () => {
  const here = await beginApplied(OVER)
  const id = await idOf(here, 'maintenanceWindows.move')
  await failing(here, 'PATCH', '/maintenanceWindows', { fault: 'reset-before', count: 1 })
  await here.manifest(OVER.replace('[HOST]', '[HOST, AGENT]'))
  expect(await asReader(here, () => here.run('apply', '--auto-approve'))).toMatchObject({ code: 3 })
  await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, {
    endDate: '2035-01-20T08:00:00Z',
  })
  await here.control('POST', 'clock', { now: '2035-01-06T05:00:00Z' })
  await here.manifest(only('maintenanceWindows', ''))
  expect(await asReader(here, () => here.run('apply', '--auto-approve'))).toMatchObject({ code: 0 })
  expect((await here.state()).resources).toHaveProperty(['maintenanceWindows.move'])
})

describe('by a key that never may read events, what is over for a month is forgotten', () => {
  it('where a window is renewed again and again', async () => {
    const here = await begin()
    await refusingEvents(here)
    for (const month of ['01', '02', '03', '04']) {
      await here.control('POST', 'clock', { now: `2035-${month}-05T00:00:00Z` })
      await applied(here, only('maintenanceWindows', windowNamed('move', `2035-${month}-06`)))
    }
    expect(await recorded(here)).toEqual([
      'maintenanceWindows.move',
      expect.stringMatching(/^maintenanceWindows\.move\[replaced /),
    ])
    const { changes } = (await here.json('plan')).document
    expect(changes.map(({ reasonCode }: any) => reasonCode)).toContain('should-have-ended')
  })

  it('where it was one of a schedule', async () => {
    const here = await begin()
    await refusingEvents(here)
    const monthly = `{ rrule: FREQ=MONTHLY;BYMONTHDAY=6;BYHOUR=2, timezone: UTC, duration: PT2H }`
    for (const month of ['01', '02', '03', '04']) {
      await here.control('POST', 'clock', { now: `2035-${month}-05T00:00:00Z` })
      await applied(here, only('maintenanceWindows', `  m: { alertTypeNames: [HOST], schedule: ${monthly} }`))
    }
    expect(await recorded(here)).toEqual([
      'maintenanceWindows.m[2035-03-06T02:00:00Z]',
      'maintenanceWindows.m[2035-04-06T02:00:00Z]',
    ])
    // The entry is still declared.
    const { changes } = (await here.json('plan')).document
    expect(at({ changes }, 'maintenanceWindows.m[2035-03-06T02:00:00Z]').reason).toMatch(
      /^it should have ended/,
    )
  })
})

it('nothing is accepted unseen where no organization is known whose events could tell', async () => {
  const here = await begin()
  const where = `projects: { payments: { id: ${PROJECT}, orgId: ${ORG} } }\n`
  const move = `  move: { projectId: ${PROJECT}, alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }`
  const alone = `version: 1\nname: test\nmaintenanceWindows:\n${move}\n`
  await applied(here, alone + where)
  const id = await idOf(here, 'maintenanceWindows.move')
  await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
  await here.control('POST', 'clock', { advance: 'PT1H' })
  await here.manifest(alone)
  const { code, stderr } = await here.run('state', 'accept', 'maintenanceWindows.move')
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('no events were read'),
  })
  await here.manifest(alone + where)
  expect(at((await here.json('drift')).document, 'maintenanceWindows.move')).toMatchObject({
    verdict: 'drifted',
  })
})
