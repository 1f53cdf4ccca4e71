import { join } from 'node:path'
import { mkdir, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { failing, fixtureWith, manifestWith, ONCALL, ORG, PROJECT, within } from '../support/installation.ts'
import { ONCALL_ID } from '../support/people.ts'
import { begin, beginApplied, OTHER_PROJECT, only, twoProjects, type Scene } from '../support/scene.ts'

const HOST_DOWN = '5d1113b25a115342acc2d0f3'
const REPLICA_SET = '5d1113b25a115342acc2d1aa'
const WINDOW = {
  alertTypeNames: ['REPLICA_SET', 'HOST'],
  startDate: '2035-01-01T00:00:00Z',
  endDate: '2036-01-01T00:00:00Z',
}
const ROLES = [{ roleName: 'ORG_OWNER', orgId: ORG }]
const EVE = {
  username: 'eve@example.com',
  emailAddress: 'eve@example.com',
  firstName: 'Eve',
  lastName: 'Other',
  mobileNumber: '2125550199',
  password: 'Correct-Horse-8-canary',
  roles: ROLES,
}

/** Somebody silences the project for a year, makes an owner, and changes the roles of a key. */
const strangers = async (here: Scene): Promise<string> => {
  const { id } = await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows/`, WINDOW)
  await here.outside('POST', '/users', EVE)
  await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${ONCALL_ID}`, { roles: ['ORG_OWNER', 'ORG_MEMBER'] })
  return id
}

/** All kinds, and nothing in the lists that is not declared. */
const WHOLE = manifestWith()

const sections = (document: any): string[] => document.unmanaged.map(({ section }: any) => section)

it('drift names a window, an owner and a key that somebody else has made or changed, with who and when', async () => {
  const here = await beginApplied(WHOLE)
  expect((await here.json('drift')).document).toMatchObject({ unmanaged: [], summary: { unmanaged: 0 } })
  const id = await strangers(here)
  const { code, document } = await here.json('drift')
  expect({ code, inSync: document.inSync, count: document.summary.unmanaged }).toEqual({
    code: 0,
    inSync: true,
    count: 3,
  })
  const actor = { publicKey: ONCALL.publicKey, confidence: 'high', remoteAddress: '127.0.0.1' }
  const entry = { text: expect.any(String), entry: expect.any(String) }
  const ways = { declare: { text: expect.any(String) }, leave: entry }
  expect(document.unmanaged).toEqual([
    {
      ...ways,
      kind: 'api_key',
      section: 'apiKeys',
      identity: { orgId: ORG, publicKey: 'oncall' },
      what: `has ORG_OWNER of ${ORG}, ORG_MEMBER`,
      seenIn: 'events',
      owns: true,
      actor: expect.objectContaining({ ...actor, eventTypeName: 'API_KEY_ROLES_CHANGED' }),
    },
    {
      ...ways,
      kind: 'user',
      section: 'users',
      identity: { username: 'eve@example.com' },
      what: `is invited as ORG_OWNER of ${ORG}`,
      seenIn: 'events',
      owns: true,
      isMaker: true,
      actor: expect.objectContaining(actor),
    },
    {
      ...ways,
      declare: entry,
      kind: 'maintenance_window',
      section: 'maintenanceWindows',
      identity: { projectId: PROJECT, id },
      what: 'silences HOST, REPLICA_SET from 2035-01-01T00:00:00Z until 2036-01-01T00:00:00Z',
      endsAt: '2036-01-01T00:00:00Z',
      seenIn: 'events',
      silences: true,
      isMaker: true,
      actor: expect.objectContaining({ ...actor, eventTypeName: 'MAINTENANCE_WINDOW_ADDED_AUDIT' }),
    },
  ])
})

it('the text says it in a section of its own, and fail makes it drift', async () => {
  const here = await beginApplied(WHOLE)
  const id = await strangers(here)
  const { code, stdout } = await here.run('drift')
  expect(code).toBe(0)
  expect(stdout).toContain('3 unmanaged')
  expect(stdout).toContain(`  unmanaged       maintenanceWindows ${id}`)
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /silences HOST, REPLICA_SET from .* by key "oncall" from 127\.0\.0\.1, [\d-]+ [\d:]+ UTC, MAINTENANCE_WINDOW_ADDED_AUDIT/,
  )
  expect(await here.json('drift', '--unmanaged', 'fail')).toMatchObject({
    code: 2,
    document: { inSync: false, exitCode: 2, summary: { drifted: 0, unmanaged: 3 } },
  })
  const off = (await here.json('drift', '--unmanaged', 'off')).document
  expect(off.unmanaged).toBeUndefined()
  expect(off.summary.unmanaged).toBeUndefined()
})

const byEvents = (document: any) => document.unmanaged.filter(({ seenIn }: any) => seenIn === 'events')

it('what is recorded later hides nothing of what was told before', async () => {
  const alert = '  host-down: { select: { eventTypeName: HOST_DOWN }, enabled: true }'
  const window =
    'maintenanceWindows:\n  migration: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }\n'
  const here = await beginApplied(only('alertConfigurations', alert))
  await strangers(here)
  const before = (await here.json('drift')).document
  expect(byEvents(before)).toHaveLength(3)
  await here.control('POST', 'clock', { advance: 'P2D' })
  await here.manifest(only('alertConfigurations', alert, window))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const after = (await here.json('drift', '--unmanaged', 'fail')).document
  expect(byEvents(after)).toEqual(byEvents(before))
  expect(after.exitCode).toBe(2)
  expect(Date.parse(after.eventsSince)).toBeLessThanOrEqual(Date.parse(before.eventsSince))
  const { stdout } = await here.run('drift', '--unmanaged', 'fail')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    `events since ${after.eventsSince.slice(0, 16).replace('T', ' ')}`,
  )
})

it('says that no events were read where nothing is recorded, if what they could show would fail the command', async () => {
  const here = await begin({ fixture: fixtureWith() })
  await here.manifest(only('integrations', '  chat: { type: CHAT_A, ensure: absent }'))
  await here.run('state', 'init')
  for (const format of ['text', 'markdown', 'html'])
    expect(await here.run('drift', '--unmanaged', 'fail', '--format', format)).toMatchObject({
      stdout: expect.stringContaining('no events read'),
    })
  expect((await here.run('drift')).stdout).not.toContain('events read')
})

it('lists show alert configurations and integrations that nobody declares', async () => {
  const here = await beginApplied(
    only('alertConfigurations', '  host-down: { select: { eventTypeName: HOST_DOWN }, enabled: true }'),
  )
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${REPLICA_SET}`, { enabled: false })
  const { document } = await here.json('drift')
  expect(document.unmanaged).toMatchObject([
    {
      section: 'alertConfigurations',
      identity: { projectId: PROJECT, alertConfigId: REPLICA_SET },
      what: 'would alert on REPLICA_SET, and is turned off',
      seenIn: 'list',
      actor: { publicKey: 'oncall', eventTypeName: 'ALERT_CONFIG_DISABLED_AUDIT' },
    },
    { identity: { projectId: PROJECT, type: 'PAGING' }, what: 'integrates PAGING', seenIn: 'list' },
    { identity: { projectId: PROJECT, type: 'CHAT_A' }, seenIn: 'list' },
  ])
})

it('an only-list says of each integration whether it may be there, so that none is called unmanaged', async () => {
  const here = await beginApplied(only('integrations', '  listed: { only: [PAGING, CHAT_A] }'))
  expect(sections((await here.json('drift')).document)).toEqual([
    'alertConfigurations',
    'alertConfigurations',
  ])
})

it('each project and kind costs one list at most, and events are read once', async () => {
  const manifest = only(
    'alertConfigurations',
    `  noisy: { alertConfigId: ${REPLICA_SET}, enabled: false }`,
  ).replace('defaults:', `  ledger: { id: ${OTHER_PROJECT}, orgId: ${ORG} }\ndefaults:`)
  const here = await beginApplied(manifest, { fixture: twoProjects() })
  await here.json('drift')
  const paths = async (...words: string[]): Promise<string[]> => {
    await here.forgetRequests()
    await here.json('drift', ...words)
    const { log } = await here.requests()
    return log
      .filter(({ status }) => status === 200)
      .map(({ path }) => path.replace(/.*v1\.0/, '').replace(/\?.*/, ''))
      .toSorted()
  }
  expect(await paths()).toEqual([
    `/groups/${PROJECT}/alertConfigs`,
    `/groups/${PROJECT}/integrations`,
    `/groups/${OTHER_PROJECT}/alertConfigs`,
    `/groups/${OTHER_PROJECT}/integrations`,
    `/orgs/${ORG}/events`,
  ])
  expect(await paths('--unmanaged', 'off')).toEqual([`/groups/${PROJECT}/alertConfigs/${REPLICA_SET}`])
  expect(await paths('--target', 'alertConfigurations.noisy')).toEqual([`/groups/${PROJECT}/alertConfigs`])
})

it('a plan lists nothing that nobody declares', async () => {
  const here = await beginApplied(WHOLE)
  await strangers(here)
  const { document, stderr } = await here.json('plan')
  expect(Object.keys(document)).not.toContain('unmanaged')
  expect({ inSync: document.inSync, stderr }).toEqual({ inSync: true, stderr: '' })
})

it('a window that is over, or was deleted, is not called unmanaged', async () => {
  const here = await beginApplied(WHOLE)
  const id = await strangers(here)
  const listed = async () => sections((await here.json('drift')).document).includes('maintenanceWindows')
  expect(await listed()).toBe(true)
  await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, {
    startDate: '2034-01-01T00:00:00Z',
    endDate: '2034-02-01T00:00:00Z',
  })
  await here.control('POST', 'clock', { now: '2034-03-01T00:00:00Z' })
  expect(await listed()).toBe(false)
})

it('what was named in the manifest as known does not count, until its time is over', async () => {
  const here = await beginApplied(WHOLE)
  const id = await strangers(here)
  const ignore = (until: string): string =>
    `${WHOLE}unmanaged:
  ignore:
    - { section: maintenanceWindows, projectId: payments, id: ${id}, reason: the move of the data centre, until: ${until} }
    - { section: users, username: eve@example.com, reason: she is the auditor }
    - { section: apiKeys, reason: another team looks after keys }
`
  await here.manifest(ignore('2999-12-31'))
  const { code, document } = await here.json('drift', '--unmanaged', 'fail')
  expect({ code, count: document.summary.unmanaged }).toEqual({ code: 0, count: 0 })
  expect(document.unmanaged.map(({ ignored }: any) => ignored)).toMatchObject([
    { reason: 'another team looks after keys' },
    { reason: 'she is the auditor' },
    {
      reason: 'the move of the data centre',
      until: '2999-12-31',
      at: expect.stringMatching(/deploymgmt\.yaml:\d+:7/),
    },
  ])
  const { stdout } = await here.run('drift')
  expect(stdout).toContain(`known           maintenanceWindows ${id}`)
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('known until 2999-12-31: the move of the data centre')
  expect(stdout).toContain('known           2 more that nobody declares')
  await here.manifest(ignore('2020-02-29'))
  const ended = await here.json('drift', '--unmanaged', 'fail')
  expect(ended).toMatchObject({ code: 2, document: { summary: { unmanaged: 1 } } })
  expect(ended.document.unmanaged[2].ignoredBefore.until).toBe('2020-02-29')
  expect((await here.run('drift')).stdout.replaceAll(/\s+/g, ' ')).toContain(
    'known until 2020-02-29, which has passed: the move of the data centre (deploymgmt.yaml:',
  )
  for (const format of ['markdown', 'html', 'junit', 'sarif'])
    expect((await here.run('drift', '--unmanaged', 'fail', '--format', format)).stdout).toContain(
      'the move of the data centre',
    )
})

it('alert configurations are named as known by their type of event', async () => {
  const here = await beginApplied(only('integrations', '  listed: { only: [PAGING, CHAT_A] }'))
  await here.manifest(
    only(
      'integrations',
      '  listed: { only: [PAGING, CHAT_A] }',
      'unmanaged: { ignore: [{ section: alertConfigurations, eventTypeName: HOST_DOWN, reason: x }] }\n',
    ),
  )
  expect((await here.json('drift')).document.unmanaged).toMatchObject([
    { ignored: { reason: 'x' } },
    { identity: { alertConfigId: REPLICA_SET } },
  ])
})

it('what is wrong with the list of known ones is said at its place', async () => {
  const here = await begin()
  await here.manifest(
    only(
      'integrations',
      '  listed: { only: [PAGING] }',
      `unmanaged:
  ignore:
    - { section: users, id: 5d1113b25a115342acc2d1aa, reason: x }
    - { section: windows, reason: x }
    - { section: users, username: a@example.com }
    - { section: users, reason: x, until: 2027-02-30 }
    - { section: integrations, projectId: paymnets, reason: x }
    - { section: apiKeys, orgId: payment, reason: x }
`,
    ),
  )
  const { code, stderr } = await here.run('validate')
  expect(code).toBe(1)
  expect(stderr).toMatch(/deploymgmt\.yaml:12:25[\s\S]*what nobody declares of users is not named by id/)
  expect(stderr).toMatch(/deploymgmt\.yaml:13:18/)
  expect(stderr).toMatch(/deploymgmt\.yaml:14:7[\s\S]*reason/)
  expect(stderr).toMatch(
    /deploymgmt\.yaml:16:43[\s\S]*there is no project "paymnets"[\s\S]*did you mean payments\?/,
  )
  expect(stderr).toMatch(/deploymgmt\.yaml:17:34[\s\S]*there is no project "payment"/)
  expect(stderr).toMatch(/deploymgmt\.yaml:15:43[\s\S]*"2027-02-30" is neither a day, such as 2027-03-31/)
})

it('with a target, those of the sections that it means as a whole are listed', async () => {
  const here = await beginApplied(WHOLE)
  await strangers(here)
  const asked = async (...targets: string[]) =>
    sections((await here.json('drift', ...targets.flatMap((each) => ['--target', each]))).document)
  expect(await asked('maintenanceWindows.*')).toEqual(['maintenanceWindows'])
  expect(await asked('maintenanceWindows.migration', 'users.dana')).toEqual([])
  expect(await asked('users.*', 'apiKeys.*')).toEqual(['apiKeys', 'users'])
})

it('what the state of another manifest records is nobody’s here, and not unmanaged', async () => {
  const integrations = '  listed: { only: [PAGING, CHAT_A] }'
  const here = await beginApplied(only('integrations', integrations))
  const folder = join(here.folder, 'other')
  await mkdir(folder)
  const theirs = manifestWith({
    apiKeys: '',
    users: '',
    alertConfigurations: `  theirs: { alertConfigId: ${REPLICA_SET}, enabled: false }`,
    integrations: '',
  })
  await writeFile(join(folder, 'deploymgmt.yaml'), theirs)
  const there = within(here, folder)
  expect(await there.run('state', 'init')).toMatchObject({ code: 0 })
  expect(await there.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const windows = async () =>
    (await here.json('drift')).document.unmanaged.flatMap(({ section, identity }: any) =>
      section === 'integrations' ? [] : [identity.alertConfigId ?? section],
    )
  await here.control('POST', 'clock', { advance: 'PT1M' })
  expect(await windows()).toEqual([HOST_DOWN, REPLICA_SET, 'maintenanceWindows'])
  await here.manifest(only('integrations', integrations, 'otherStates: [other/deploymgmt.state.json]\n'))
  expect(await windows()).toEqual([HOST_DOWN])
})

it('what was made with the calling key and forgotten stays known, and is not called unmanaged', async () => {
  const here = await beginApplied(WHOLE)
  expect(await here.run('state', 'forget', 'maintenanceWindows.migration')).toMatchObject({ code: 0 })
  await here.manifest(manifestWith({ maintenanceWindows: '' }))
  await here.control('POST', 'clock', { advance: 'PT1M' })
  expect((await here.json('drift')).document.unmanaged).toEqual([])
})

it('what was forgotten stays known until its end, whatever others do to it after later creations were compared', async () => {
  const here = await beginApplied(WHOLE)
  const { maintenanceWindows } = (await here.control('GET', 'dump')).projects[0]
  expect(await here.run('state', 'forget', 'maintenanceWindows.migration')).toMatchObject({ code: 0 })
  await here.control('POST', 'clock', { advance: 'PT2H' })
  const later = `  later: ${JSON.stringify(WINDOW)}`
  await here.manifest(manifestWith({ maintenanceWindows: later }))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  await here.control('POST', 'clock', { advance: 'PT2H' })
  const path = `/groups/${PROJECT}/maintenanceWindows/${maintenanceWindows[0].id}`
  await here.outside('PATCH', path, { description: 'touched' })
  expect((await here.json('drift')).document.unmanaged).toEqual([])
})

it('a list that is refused fails nothing, and is said', async () => {
  const here = await beginApplied(
    only('alertConfigurations', `  noisy: { alertConfigId: ${REPLICA_SET}, enabled: false }`),
  )
  await failing(here, 'GET', 'integrations', { fault: 'status', status: 403 })
  const { code, document } = await here.json('drift')
  expect(code).toBe(0)
  expect(document.warnings).toEqual([
    'integrations of payments cannot be listed (403): those that nobody declares are missing from this report',
  ])
})

it.each([
  ['open.events', 'none', true],
  ['open.projectEventsInOrganizationList', 'excluded', true],
  ['open.events', 'some', false],
  ['open.eventNames', 'foreign', false],
  ['open.remoteAddress', 'never', false],
] as const)(
  'where %s is %s, it finds what events tell, and says where they do not',
  async (name, value, isBlind) => {
    const here = await beginApplied(WHOLE, { fixture: fixtureWith(), settings: { [name]: value } })
    await strangers(here)
    await here.control('POST', 'clock', { advance: 'PT20M' })
    const { document } = await here.json('drift')
    expect(sections(document).includes('maintenanceWindows')).toBe(!isBlind)
    const said = document.warnings.filter((text: string) =>
      text.includes('events do not show even the writes'),
    )
    expect(said.length > 0).toBe(isBlind)
  },
)

it('an unmanaged integration is offered under its whole type, a configuration under the end of its id', async () => {
  const here = await begin({ manifest: only('alertConfigurations', '') })
  await here.control('PUT', `projects/${PROJECT}/integrations`, [
    { type: 'WEBHOOK', url: 'https://hooks.example.com/payments' },
  ])
  const { document } = await here.json('drift')
  const ways: string[] = document.unmanaged.map(({ declare }: any) => declare.text)
  expect(ways).toContainEqual(expect.stringContaining('add integration-webhook: '))
  expect(ways).toContainEqual(expect.stringContaining(`add alert-configuration-${HOST_DOWN.slice(-6)}: `))
})
