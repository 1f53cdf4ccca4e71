import { expect, it } from 'vitest'
import { fixtureWith, manifestWith, ORG, PROJECT, type Installation } from '../support/installation.ts'
import { expectApply, LEDGER, org, planOf, sam } from '../support/people.ts'
import { beginApplied, only } from '../support/scene.ts'

let here: Installation

const ROLES = `roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }]`
const WINDOW =
  '  w: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }'
const REFERENCE = '"${maintenanceWindows.w.id}"'
const manifest = (users: string, maintenanceWindows = WINDOW): string =>
  manifestWith({ apiKeys: '', alertConfigurations: '', integrations: '', users, maintenanceWindows })
const dana = (firstName: string): string =>
  `  dana: { username: dana@example.com, emailAddress: dana@example.com, firstName: ${firstName}, lastName: Reyes, mobileNumber: "1", password: { env: DANA_INITIAL_PASSWORD }, ${ROLES} }`
const windows = (description: string): string => WINDOW.replace(' }', `, description: ${description} }`)

const recordOf = async (address: string): Promise<any> => (await here.state()).resources[address]

it('a reference in what only a creation takes is accepted as its value', async () => {
  here = await beginApplied(manifest(dana(REFERENCE)))
  const { id } = (await recordOf('maintenanceWindows.w')).identity
  expect(await here.run('state', 'accept', 'users.dana')).toMatchObject({ code: 0 })
  expect((await recordOf('users.dana')).applied.firstName).toBe(id)
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
})

it('what only a creation takes and was edited is accepted as it is declared, and that is said', async () => {
  here = await beginApplied(manifest(dana('Dana'), ''))
  await here.manifest(manifest(dana('Dan'), ''))
  const { stderr } = await here.run('state', 'accept', 'users.dana')
  const said = stderr.replaceAll(/\s+/g, ' ')
  expect(said).toContain('the record keeps the other values last applied')
  expect(said).toContain(
    'What only a creation sets is now recorded as declared, although nothing shows what the service has: firstName Dana → Dan.',
  )
  expect((await here.run('state', 'accept', 'users.dana')).stderr).not.toContain('taken to be')
})

it('a reference to what is not recorded yet is no value to be accepted', async () => {
  here = await beginApplied(manifest(dana('Dana'), ''))
  await here.manifest(manifest(dana(REFERENCE)))
  expect(await here.run('state', 'accept', 'users.dana')).toMatchObject({ code: 0 })
  expect((await recordOf('users.dana')).applied.firstName).toBe('Dana')
})

it('a plan does not say what is there of fields that were changed outside and accepted', async () => {
  const scene = await beginApplied(manifest('', windows('ours')))
  here = scene
  await scene.control('POST', 'clock', { advance: 'PT1M' })
  const { id } = (await recordOf('maintenanceWindows.w')).identity
  await scene.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
  expect(await scene.run('state', 'accept', 'maintenanceWindows.w')).toMatchObject({ code: 0 })
  expect((await planOf(scene)).changes).toMatchObject([{ action: 'unchanged' }])
  await scene.control('POST', 'clock', { advance: 'PT1M' })
  await scene.manifest(manifest('', windows('new')))
  const note = 'may be as it was changed outside and accepted; no endpoint shows it'
  const [change] = (await planOf(scene)).changes
  expect(change).toMatchObject({
    action: 'update',
    reasonCode: 'declared-differs',
    requests: [{ method: 'PATCH' }],
  })
  expect(change.fields).toEqual([{ path: 'description', before: null, after: 'new', note }])
  const shown = (await scene.run('plan')).stdout.replaceAll(/\s+/g, ' ')
  expect(shown).toContain(`description (not known) → new (${note})`)
  expect((await scene.run('plan', '--format', 'markdown')).stdout).toContain('(not known)')
  await expectApply(scene, 0)
  await scene.manifest(manifest('', windows('newer')))
  expect((await planOf(scene)).changes).toMatchObject([{ fields: [{ before: 'new', after: 'newer' }] }])
})

it('what a report shows is accepted even if only older events tell that the key is no person’s', async () => {
  const key = { publicKey: 'sampersonal', privateKey: 'canary-0009' }
  const users = [{ ...sam(org('ORG_OWNER')), apiKeys: [key] }]
  const earlier = WINDOW.replace('  w:', '  earlier:')
  const scene = await beginApplied(manifest('', earlier), { fixture: { ...fixtureWith(), users } })
  here = scene
  await scene.control('POST', 'clock', { advance: 'PT1M' })
  await scene.manifest(manifest('', `${earlier}\n${WINDOW}`))
  await scene.control('POST', 'faults', { fault: 'lose-events' })
  await expectApply(scene, 0)
  await scene.control('DELETE', 'faults')
  const { id } = (await recordOf('maintenanceWindows.w')).identity
  const path = `/groups/${PROJECT}/maintenanceWindows/${id}`
  await scene.outside('PATCH', path, { description: 'theirs' }, key)
  const drifted = async (): Promise<string[]> =>
    (await scene.json('drift')).document.resources
      .filter(({ verdict }: any) => verdict === 'drifted')
      .map(({ address }: any) => address)
  expect(await drifted()).toEqual(['maintenanceWindows.w'])
  expect(await scene.run('state', 'accept', 'maintenanceWindows.w')).toMatchObject({ code: 0 })
  expect(await drifted()).toEqual([])
})

it('of what is read, a plan and a report say that who changed it was accepted, and name whoever changes it then', async () => {
  const noisy = '5d1113b25a115342acc2d1aa'
  const declared = `  noisy: { alertConfigId: ${noisy}, enabled: true }`
  const scene = await beginApplied(only('alertConfigurations', declared))
  here = scene
  const address = 'alertConfigurations.noisy'
  const change = async (enabled: boolean): Promise<void> => {
    await scene.control('POST', 'clock', { advance: 'PT1M' })
    await scene.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${noisy}`, { enabled })
    await scene.control('POST', 'clock', { advance: 'PT1M' })
  }
  await change(false)
  expect(await scene.run('state', 'accept', address)).toMatchObject({ code: 0 })
  for (const command of ['plan', 'drift']) {
    const shown = (await scene.run(command)).stdout.replaceAll(/\s+/g, ' ')
    expect(shown).toMatch(/everything until [^,]+ was accepted, and no event since then tells of a change/i)
    expect(shown).not.toContain('no event tells')
  }
  await change(true)
  await change(false)
  expect((await scene.run('drift')).stdout).toContain('by key "oncall"')
})

it('an entry and a pattern accept the events about all of their records, which are read once', async () => {
  const both = ['a', 'b'].map((name) => WINDOW.replace(' w:', ` ${name}:`))
  const scene = await beginApplied(manifest(dana('Dana'), both.join('\n')))
  here = scene
  await scene.control('POST', 'clock', { advance: 'PT1M' })
  const suspects = ['users.dana', 'maintenanceWindows.a', 'maintenanceWindows.b']
  const { userId } = (await recordOf('users.dana')).identity
  await scene.outside('PATCH', `/users/${userId}`, { roles: [org('ORG_OWNER')] })
  for (const name of ['a', 'b']) {
    const { id } = (await recordOf(`maintenanceWindows.${name}`)).identity
    await scene.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
  }
  const drifted = async (): Promise<string[]> =>
    (await scene.json('drift')).document.resources
      .filter(({ verdict }: any) => verdict === 'drifted')
      .map(({ address }: any) => address)
  expect((await drifted()).toSorted()).toEqual(suspects.toSorted())
  await scene.forgetRequests()
  const { code, stderr } = await scene.run('state', 'accept', 'maintenanceWindows.*', 'users.dana')
  expect(code).toBe(0)
  for (const address of suspects) expect(stderr).toContain(`${address}: `)
  const { log } = await scene.requests()
  expect(log.filter(({ path, status }) => path.includes('/events') && status === 200)).toHaveLength(1)
  expect(await drifted()).toEqual([])
})

it('an entry that stands for several things accepts the events about each', async () => {
  const twice = `  w: { projectIds: [${PROJECT}, ${LEDGER}], alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }`
  const { projects } = fixtureWith() as { projects: object[] }
  const ledger = { id: LEDGER, orgId: ORG, name: 'ledger' }
  const fixture = { ...fixtureWith(), projects: [...projects, ledger] }
  const scene = await beginApplied(manifest('', twice), { fixture })
  here = scene
  const before = Object.values((await scene.state()).resources).map((each: any) => each.watermark)
  await scene.control('POST', 'clock', { advance: 'P300D' })
  const { code, stderr } = await scene.run('state', 'accept', 'maintenanceWindows.w')
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const after = Object.values((await scene.state()).resources).map((each: any) => each.watermark)
  expect(after).toHaveLength(2)
  for (const at of after) expect(before).not.toContain(at)
})

it('nothing is accepted of several if one of them is not recorded', async () => {
  here = await beginApplied(manifest(dana('Dana'), WINDOW))
  const before = await here.state()
  const { code, stderr } = await here.run('state', 'accept', 'maintenanceWindows.w', 'users.nobody')
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('users.nobody') })
  expect((await here.state()).resources).toEqual(before.resources)
})

it('what a report leaves unread is settled once, by the command that its warning names', async () => {
  const begun = Date.now() + 3_600_000
  const events = Array.from({ length: 10_050 }, (_, index) => ({
    id: (index + 0x6f00_0000_0000).toString(16).padStart(24, '0'),
    eventTypeName: 'USER_LOGGED_IN',
    created: new Date(begun + index * 60_000).toISOString(),
  }))
  const scene = await beginApplied(manifest(dana('Dana')), { fixture: fixtureWith({}, { events }) })
  here = scene
  await scene.control('POST', 'clock', { advance: 'P60D' })
  const { document } = await scene.json('drift')
  const [warning = ''] = document.warnings
  expect(warning).toContain('older events were not read')
  expect(document.summary).toMatchObject({ drifted: 0 })
  const [, pattern = ''] = /deploymgmt state accept '(.+?)'/u.exec(warning) ?? []
  const settled = await scene.run('state', 'accept', pattern)
  expect(settled).toMatchObject({ code: 0, stderr: expect.stringContaining('older events were not read') })
  expect(settled.stderr).not.toContain("accept '")
  await scene.forgetRequests()
  expect((await scene.json('drift')).document.warnings).toEqual([])
  const { log } = await scene.requests()
  expect(log.filter(({ path }) => path.includes('/events')).length).toBeLessThan(3)
})
