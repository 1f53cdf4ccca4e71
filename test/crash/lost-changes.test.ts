import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureWith, ORG, PROJECT, type Installation } from '../support/installation.ts'
import { applied, begin, beginApplied, only } from '../support/scene.ts'
import { expectConverged, expectStuck, resolve, sent, unknownIn } from './support/unknown.ts'

let here: Installation

const NOISY = '5d1113b25a115342acc2d1aa'
const KEY = '5c47503320eef5699e1cce8f'
const key = (desc: string): string =>
  only('apiKeys', `  reporting: { apiKeyId: ${KEY}, desc: ${desc}, roles: [ORG_MEMBER] }`)
const noisy = (enabled: boolean): string =>
  only('alertConfigurations', `  noisy: { alertConfigId: ${NOISY}, enabled: ${enabled}, onRemove: restore }`)
const window = (description: string): string =>
  only(
    'maintenanceWindows',
    `  migration: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: ${description} }`,
  )
const dana = (role: string): string =>
  only(
    'users',
    `  dana: { username: dana@example.com, emailAddress: dana@example.com, firstName: Dana, lastName: Reyes, mobileNumber: "2125550198", password: { env: DANA_INITIAL_PASSWORD }, roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }, { roleName: ${role}, projectId: ${PROJECT} }] }`,
  )
const chat = only('integrations', '  old-chat: { type: CHAT_A, ensure: absent }')
const noisyAndChat = (enabled: boolean): string =>
  `${noisy(enabled)}${chat.slice(chat.indexOf('integrations:'))}`

/** Applies with a fault for the only write. */
const applyAndLose = async (manifest: string, fault: object, method = 'PATCH'): Promise<void> => {
  await here.manifest(manifest)
  await here.control('POST', 'faults', { method, count: 1, ...fault })
  const { code, stdout, stderr } = await here.run('apply', '--auto-approve')
  expect({ code, stdout, stderr }).toMatchObject({ code: 3 })
  await here.forgetRequests()
}
const dump = (): Promise<any> => here.control('GET', 'dump')
const held = {
  key: async () =>
    (await dump()).organizations[0].apiKeys.find(({ id }: any) => id === KEY) as Record<string, unknown>,
  noisy: async () => (await dump()).projects[0].alertConfigs.find(({ id }: any) => id === NOISY),
  window: async () => (await dump()).projects[0].maintenanceWindows[0],
}

const CASES: [string, string, string, string, () => Promise<unknown>, unknown][] = [
  ['an API key', 'apiKeys.reporting', key('one'), key('two'), async () => (await held.key())['desc'], 'two'],
  [
    'an alert configuration',
    'alertConfigurations.noisy',
    noisy(false),
    noisy(true),
    async () => (await held.noisy()).enabled,
    true,
  ],
  [
    'a window',
    'maintenanceWindows.migration',
    window('one'),
    window('two'),
    async () => (await held.window()).description,
    'two',
  ],
  [
    'a user',
    'users.dana',
    dana('GROUP_OWNER'),
    dana('GROUP_READ_ONLY'),
    async () =>
      (await dump()).users[0].invitations.some(({ roleName }: any) => roleName === 'GROUP_READ_ONLY'),
    true,
  ],
]

describe.each(CASES)('a change of %s whose answer is lost', (_, address, before, wanted, live, expected) => {
  it.each(['reset-before', 'reset-after', 'truncate', 'malformed', 'duplicate-keys', 'wrong-type'])(
    'by %s is listed as unknown, and then read or sent again, since its body is absolute',
    async (fault) => {
      here = await beginApplied(before)
      await applyAndLose(wanted, { fault })
      expect(await unknownIn(here)).toEqual([address])
      expect(await here.run('plan')).toMatchObject({ code: 0 })
      const isRead = address.startsWith('alertConfigurations.')
      const reasonCode = isRead ? 'told-by-next-reading' : 'can-be-sent-again'
      expect(await here.json('drift')).toMatchObject({
        code: 2,
        document: { inSync: false, toBeSettled: [{ address, reasonCode }] },
      })
      await expectConverged(here)
      expect(await live()).toEqual(expected)
      expect(await here.run('drift')).toMatchObject({ code: 0 })
      expect(await unknownIn(here)).toEqual([])
    },
  )
})

describe('a change whose answer is lost', () => {
  it('of something that no endpoint shows is never sent over what someone else did meanwhile', async () => {
    here = await beginApplied(window('one'))
    await applyAndLose(window('two'), { fault: 'reset-after' })
    const { id } = await held.window()
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
    const said = await expectStuck(here, ['maintenanceWindows.migration'])
    expect(said).toContain('somebody else has changed it since: event')
    expect(said).not.toContain('--created')
    expect((await held.window()).description).toBe('theirs')
    await resolve(here, 'maintenanceWindows.migration', '--not-created')
    const { document } = await here.json('plan')
    expect(document.changes).toMatchObject([{ action: 'update', evidence: { level: 'suspect' } }])
    await here.control('POST', 'clock', { advance: 'PT5S' })
    await expectConverged(here)
    expect((await held.window()).description).toBe('two')
  })

  it.each(['reset-before', 'reset-after', 'truncate'])(
    'by %s still shows what others did to fields that it was to learn from, and asserts these as well',
    async (fault) => {
      here = await beginApplied(key('one'))
      await here.control('POST', 'clock', { now: '2035-01-01T00:00:00Z' })
      await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${KEY}`, { roles: ['ORG_READ_ONLY'] })
      await here.control('POST', 'clock', { advance: 'PT1M' })
      await applyAndLose(key('one'), { fault })
      await here.control('POST', 'clock', { advance: 'PT5M' })
      expect((await here.json('drift')).document.resources).toMatchObject([
        { verdict: 'drifted', fields: [{ path: 'roles' }], actor: { publicKey: 'oncall' } },
      ])
      expect((await here.json('plan')).document.changes).toMatchObject([
        { fields: [{ path: 'desc' }, { path: 'roles' }], actor: { publicKey: 'oncall' } },
      ])
      await expectConverged(here)
      expect(await held.key()).toMatchObject({ roles: [{ roleName: 'ORG_MEMBER' }] })
    },
  )

  it.each([
    ['a change', window('one'), { description: 'one', endDate: '2035-01-06T04:00:00Z' }],
    ['a release', only('maintenanceWindows', ''), { endDate: expect.stringMatching(/^2035-01-01T00:02/) }],
  ])(
    'is sent again where what others did within its second was known before: %s',
    async (_, wanted, then) => {
      here = await begin()
      await here.control('POST', 'clock', { now: '2035-01-01T00:00:00Z' })
      await applied(here, window('one'))
      await here.control('POST', 'clock', { now: '2035-01-01T00:01:00Z' })
      const { id } = await held.window()
      await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
      await applyAndLose(wanted, { fault: 'reset-before' })
      await here.control('POST', 'clock', { now: '2035-01-01T00:02:00Z' })
      await expectConverged(here)
      expect(await held.window()).toMatchObject(then)
    },
  )

  it.each(['reset-after', 'reset-before'])(
    'by %s and that a person calls not done is no suspect by its own event, and is written again',
    async (fault) => {
      here = await beginApplied(window('one'))
      await applyAndLose(window('two'), { fault })
      const decisions = join(here.folder, 'decisions.yaml')
      await writeFile(decisions, '- { address: maintenanceWindows.migration, notCreated: true }\n')
      expect(await here.run('state', 'resolve', '--from', decisions)).toMatchObject({ code: 0 })
      expect((await here.json('drift')).document.resources).toMatchObject([
        { verdict: 'unverifiable', evidence: { level: 'unknown' } },
      ])
      // The lost write was to set 'two'. Whether it did is unknown, so the declared value is written again.
      await here.manifest(window('one'))
      await expectConverged(here)
      expect((await held.window()).description).toBe('one')
      expect(await here.run('drift')).toMatchObject({ code: 0 })
    },
  )

  it('and that a person calls not done keeps what its adoption saw', async () => {
    here = await begin()
    await applyAndLose(noisy(false), { fault: 'reset-after' })
    await resolve(here, 'alertConfigurations.noisy', '--not-created')
    await expectConverged(here)
    await applied(here, only('alertConfigurations', ''))
    expect((await held.noisy()).enabled).toBe(true)
  })

  it('cannot be resolved with an id, since nothing was being created', async () => {
    here = await beginApplied(window('one'))
    await applyAndLose(window('two'), { fault: 'reset-after' })
    const { code, stderr } = await here.run(
      'state',
      'resolve',
      'maintenanceWindows.migration',
      '--created',
      KEY,
    )
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-ADDRESS') })
  })

  it('keeps what its adoption saw, so that its removal can still put it back', async () => {
    here = await begin()
    await applyAndLose(noisy(false), { fault: 'reset-after' })
    await expectConverged(here)
    await applied(here, only('alertConfigurations', ''))
    expect((await held.noisy()).enabled).toBe(true)
  })

  it.each(['reset-after', 'reset-before'])(
    'by %s also keeps what its adoption saw if that was already as declared',
    async (fault) => {
      here = await beginApplied(noisy(true))
      await applyAndLose(noisy(false), { fault })
      await applied(here, only('alertConfigurations', ''))
      expect((await held.noisy()).enabled).toBe(true)
    },
  )

  it('of a release that puts back what adoption saw is nobody else’s doing', async () => {
    here = await beginApplied(noisy(false))
    await applyAndLose(only('alertConfigurations', ''), { fault: 'reset-after' })
    expect((await here.json('drift')).document.resources).toMatchObject([{ verdict: 'pending' }])
    expect((await here.json('plan')).document.changes).toMatchObject([
      { action: 'release', reasonCode: 'undeclared-nothing-to-restore' },
    ])
    await applied(here, only('alertConfigurations', ''))
    expect((await held.noisy()).enabled).toBe(true)
  })

  it.each([
    ['a person has decided', ['state', 'resolve', 'alertConfigurations.noisy', '--again']],
    [
      'an apply of something else has settled',
      ['apply', '--auto-approve', '--target', 'integrations.old-chat'],
    ],
  ])('that %s is nobody else’s doing', async (_, words) => {
    here = await beginApplied(noisyAndChat(true))
    await applyAndLose(noisyAndChat(false), { fault: 'reset-after' })
    expect(await here.run(...words)).toMatchObject({ code: 0 })
    expect(await unknownIn(here)).toEqual([])
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    await here.manifest(noisyAndChat(true))
    const [change] = (await here.json('plan')).document.changes
    expect(change).toMatchObject({ action: 'update', evidence: { level: 'read' } })
    expect(change.evidence.note).toBeUndefined()
    await expectConverged(here)
    expect((await here.state()).resources['alertConfigurations.noisy'].unsure).toBeUndefined()
  })

  it('is done all the same where its adoption was lost and others may change it from then on', async () => {
    here = await begin()
    const ignored = noisy(false).replace('onRemove', 'ignoreChanges: [enabled], onRemove')
    await applyAndLose(ignored, { fault: 'reset-before' })
    await expectConverged(here)
    expect((await held.noisy()).enabled).toBe(false)
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${NOISY}`, { enabled: true })
    await expectConverged(here)
    expect((await held.noisy()).enabled).toBe(true)
  })

  it('leaves it to others where an event tells that they have changed it since', async () => {
    here = await begin()
    const ignored = noisyAndChat(false).replace('onRemove', 'ignoreChanges: [enabled], onRemove')
    await applyAndLose(ignored, { fault: 'reset-after' })
    const elsewhere = ['--auto-approve', '--target', 'integrations.old-chat']
    expect(await here.run('apply', ...elsewhere)).toMatchObject({ code: 0 })
    await here.control('POST', 'clock', { advance: 'PT1H' })
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${NOISY}`, { enabled: true })
    await expectConverged(here)
    expect((await held.noisy()).enabled).toBe(true)
  })

  it('does not make two windows of one that it prolonged beyond its old end', async () => {
    here = await begin()
    await here.control('POST', 'clock', { now: '2035-01-06T01:00:00Z' })
    await applied(here, window('one'))
    await applyAndLose(window('one').replace('T04:', 'T09:'), { fault: 'reset-after' })
    await here.control('POST', 'clock', { now: '2035-01-06T06:00:00Z' })
    await expectConverged(here)
    expect((await dump()).projects[0].maintenanceWindows).toMatchObject([{ endDate: '2035-01-06T09:00:00Z' }])
  })

  it('makes a new window when the old one ended because it was not prolonged', async () => {
    here = await begin()
    await here.control('POST', 'clock', { now: '2035-01-06T01:00:00Z' })
    await applied(here, window('one'))
    await applyAndLose(window('one').replace('T04:', 'T09:'), { fault: 'reset-before' })
    await here.control('POST', 'clock', { now: '2035-01-06T06:00:00Z' })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
    await expectConverged(here)
    expect((await dump()).projects[0].maintenanceWindows.map(({ endDate }: any) => endDate)).toEqual([
      '2035-01-06T04:00:00Z',
      '2035-01-06T09:00:00Z',
    ])
  })

  it.each(['reset-after', 'reset-before'].flatMap((fault) => ['full', 'empty'].map((body) => [fault, body])))(
    'by %s leaves no window that is still to come once it is removed, with errors whose body is %s',
    async (fault, body) => {
      here = await begin({ settings: { 'open.errorBody': body } })
      await here.control('POST', 'clock', { now: '2035-01-06T03:00:00Z' })
      await applied(here, window('one'))
      await applyAndLose(window('one').replace('T02:', 'T05:').replace('T04:', 'T06:'), { fault })
      await here.manifest(only('maintenanceWindows', ''))
      expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
      expect(Date.parse((await held.window()).endDate)).toBeLessThan(Date.parse('2035-01-06T03:01:00Z'))
      expect((await here.state()).resources).toEqual({})
    },
  )

  const bodies = ['full', 'minimal', 'text', 'empty']
  const readings = ['400', '403', '409'].flatMap((status) => bodies.map((body) => [status, body] as const))
  it.each([
    ...readings.map((each) => ['reset-after', ...each] as const),
    ['reset-before', '400', 'empty'] as const,
  ])(
    'by %s ends a window all the same, where a window that has ended answers %s with the body %s',
    async (fault, status, body) => {
      here = await begin({ settings: { 'open.endedWindowStatus': status, 'open.errorBody': body } })
      await here.control('POST', 'clock', { now: '2035-01-01T00:00:00Z' })
      await applied(here, window('one'))
      await here.control('POST', 'clock', { advance: 'PT1M' })
      await applyAndLose(only('maintenanceWindows', ''), { fault })
      await here.control('POST', 'clock', { advance: 'PT1M' })
      await expectConverged(here)
      expect(Date.parse((await held.window()).endDate)).toBeLessThan(Date.parse('2035-01-02'))
      expect((await here.state()).resources).toEqual({})
    },
  )

  it.each(['reset-before', 'reset-after'])(
    'by %s leaves no window behind that is taken out then',
    async (fault) => {
      here = await begin()
      await here.control('POST', 'clock', { now: '2035-01-06T03:00:00Z' })
      await applied(here, window('one'))
      await applyAndLose(window('one').replace('06T02:', '09T02:').replace('06T04:', '09T04:'), { fault })
      await here.control('POST', 'clock', { advance: 'PT5S' })
      await applied(here, only('maintenanceWindows', ''))
      expect(Date.parse((await held.window()).endDate)).toBeLessThan(Date.parse('2035-01-06T03:01:00Z'))
      expect((await here.state()).resources).toEqual({})
    },
  )

  it('stays open where the release is refused afterwards and no event of ours shows an effect', async () => {
    here = await begin({ settings: { 'open.errorBody': 'empty' } })
    await here.control('POST', 'clock', { now: '2035-01-01T00:00:00Z' })
    await applied(here, window('one'))
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await applyAndLose(only('maintenanceWindows', ''), { fault: 'reset-before' })
    await here.control('POST', 'faults', { method: 'PATCH', fault: 'status', status: 403, count: 1 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 1 })
    expect(Object.keys((await here.state()).resources)).toEqual(['maintenanceWindows.migration'])
    await expectConverged(here)
    expect(Date.parse((await held.window()).endDate)).toBeLessThan(Date.parse('2035-01-02'))
  })
})

describe('of a change whose answer is lost', () => {
  it('plan and drift say what is to come, and nothing is called settled, or never seen', async () => {
    here = await beginApplied(key('one'))
    await applyAndLose(key('two'), { fault: 'reset-after' })
    const plan = await here.run('plan')
    expect(plan).toMatchObject({ code: 0, stderr: '' })
    expect(plan.stdout.split('no answer shows whether its last change')).toHaveLength(2)
    const drift = await here.run('drift')
    expect(drift).toMatchObject({ code: 2, stderr: '' })
    expect(drift.stdout.split('no answer shows whether its last change')).toHaveLength(2)
    expect(drift.stdout).toMatch(
      /apiKeys\.reporting: last written on [\d-]+\. The outcome of the last write to\s+desc is not\s+known\./,
    )
    expect(plan.stdout + drift.stdout).not.toContain('0 projects')
    expect(plan.stdout + drift.stdout).not.toContain('never seen')
  })

  it('a read shows the outcome of what an endpoint shows', async () => {
    here = await beginApplied(noisy(false))
    await applyAndLose(noisy(true), { fault: 'reset-after' })
    const { code, stdout } = await here.run('plan', '--detailed-exitcode')
    expect({ code, stdout }).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(
        /^deploymgmt plan · 1 request to be settled by apply · nothing else to do · 1 in sync/,
      ),
    })
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'to be settled by apply: alertConfigurations.noisy: what is there now shows whether its last change took effect.',
    )
    expect(await here.run('drift')).toMatchObject({ code: 2 })
    expect(await here.json('plan', '--detailed-exitcode')).toMatchObject({
      code: 2,
      document: {
        inSync: false,
        summary: { update: 0, unchanged: 1 },
        toBeSettled: [{ address: 'alertConfigurations.noisy', reasonCode: 'told-by-next-reading' }],
      },
    })
    await expectConverged(here)
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })
})

describe('a deletion whose answer is lost', () => {
  it.each([
    ['reset-before', 1],
    ['reset-after', 0],
    ['truncate', 0],
  ])('by %s is settled by the next list', async (fault, again) => {
    here = await begin()
    await applyAndLose(chat, { fault: fault === 'truncate' ? 'reset-after' : fault }, 'DELETE')
    expect(await here.run('plan')).toMatchObject({ code: 0 })
    await expectConverged(here)
    expect(await sent(here, 'DELETE')).toBe(again)
    expect((await dump()).projects[0].integrations.map(({ type }: any) => type)).toEqual(['PAGING'])
  })

  it('is what has made the thing go: that is no drift', async () => {
    here = await beginApplied(chat.replace('absent', 'present'))
    await applyAndLose(chat, { fault: 'reset-after' }, 'DELETE')
    expect(await here.json('drift')).toMatchObject({
      code: 2,
      document: { summary: { drifted: 0 }, toBeSettled: [{ address: 'integrations.old-chat' }] },
    })
    await expectConverged(here)
    expect(await here.run('drift')).toMatchObject({ code: 0 })
  })

  it.each(['404', '204'])('finds it gone and is done, where that answers %s', async (status) => {
    here = await begin({ settings: { 'open.deleteAbsentIntegration': status } })
    await applyAndLose(chat, { fault: 'status', status: 500 }, 'DELETE')
    await here.outside('DELETE', `/groups/${PROJECT}/integrations/CHAT_A`)
    await expectConverged(here)
    expect(await unknownIn(here)).toEqual([])
  })
})

describe('with a key that may not read events', () => {
  const projectOwner = {
    id: '5c47503320eef5699e1cce90',
    desc: 'deploy',
    publicKey: 'deploy',
    privateKey: '5e5d5c5b-canary-0009',
    roles: [{ roleName: 'GROUP_OWNER', groupId: PROJECT }],
  }

  const beginAs = async (manifest: string): Promise<void> => {
    const scene = await begin({ fixture: fixtureWith({}, { apiKeys: [projectOwner] }) })
    scene.env['DEPLOYMGMT_PUBLIC_KEY'] = projectOwner.publicKey
    scene.env['DEPLOYMGMT_PRIVATE_KEY'] = projectOwner.privateKey
    here = scene
    await applied(here, manifest)
  }

  it.each([
    ['a change that is read', noisy(false), noisy(true), 'PATCH'],
    ['a change that no endpoint shows', window('one'), window('two'), 'PATCH'],
    ['a deletion', only('integrations', ''), chat, 'DELETE'],
  ])('a lost answer to %s is settled', async (_, before, after, method) => {
    await beginAs(before)
    await applyAndLose(after, { fault: 'reset-after' }, method)
    await expectConverged(here)
    expect(await unknownIn(here)).toEqual([])
  })

  it('a lost answer to a creation is left to a person, who is told how, and then all goes on', async () => {
    await beginAs(only('maintenanceWindows', ''))
    await applyAndLose(window('one'), { fault: 'reset-after' }, 'POST')
    expect(await expectStuck(here, ['maintenanceWindows.migration'])).toContain(
      'not all events could be read',
    )
    await resolve(here, 'maintenanceWindows.migration', '--created', (await held.window()).id)
    await expectConverged(here)
    const accepted = await here.run('state', 'accept', 'maintenanceWindows.migration')
    expect([accepted.code, accepted.stderr]).toEqual([1, expect.stringContaining('DM-EVENTS-UNREAD')])
  })

  it('wrong credentials are still called that', async () => {
    await beginAs(only('maintenanceWindows', ''))
    await applyAndLose(window('one'), { fault: 'reset-after' }, 'POST')
    here.env['DEPLOYMGMT_PRIVATE_KEY'] = 'wrong'
    expect((await here.run('plan')).stderr).toContain('DM-AUTH-REJECTED')
  })
})
