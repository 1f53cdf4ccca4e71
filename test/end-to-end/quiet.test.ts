/** Events that told nothing of a thing are not read again and again, however old its last write is. */
import { expect, it } from 'vitest'
import { CI, fixtureWith, manifestWith, ORG, PROJECT } from '../support/installation.ts'
import { org } from '../support/people.ts'
import { beginApplied, type Scene } from '../support/scene.ts'

const DANA = `  dana: { username: dana@example.com, emailAddress: dana@example.com, firstName: Dana, lastName: Reyes, mobileNumber: "1", password: { env: DANA_INITIAL_PASSWORD }, roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }] }`
const MANIFEST = manifestWith({
  apiKeys: '',
  alertConfigurations: '',
  integrations: '',
  users: DANA,
  maintenanceWindows: '',
})
const WEEKS = 4
const A_WEEK = 2_400

const OTHER_ORG = '5980cfdf0b6d97029d82f86f'
const THEIR_KEY = '5c47503320eef5699e1ccf01'

interface Busy {
  readonly organizations: readonly any[]
}

/** An organization in which much happens that is none of the manifest's business. */
const busy = async (
  manifest = MANIFEST,
  among: (one: Busy, begun: number) => object = (one) => one,
): Promise<Scene> => {
  const begun = Date.now() + 3_600_000
  const events = Array.from({ length: WEEKS * A_WEEK }, (_, index) => ({
    id: (index + 0x6f00_0000_0000).toString(16).padStart(24, '0'),
    eventTypeName: 'USER_LOGGED_IN',
    created: new Date(begun + (index * 7 * 86_400_000) / A_WEEK).toISOString(),
  }))
  return beginApplied(manifest, { fixture: among(fixtureWith({}, { events }) as Busy, begun) })
}

/** Another organization of the calling key, in which a role of dana was changed. */
const twoOrganizations = ({ organizations: [acme], ...others }: Busy, begun: number): object => {
  const roles = [ORG, OTHER_ORG].map((orgId) => ({ roleName: 'ORG_OWNER', orgId }))
  const apiKeys = acme.apiKeys.map((key: any) => (key.publicKey === CI.publicKey ? { ...key, roles } : key))
  const changed = {
    id: '6f11'.padEnd(24, '0'),
    eventTypeName: 'USER_ROLES_CHANGED_AUDIT',
    targetUsername: 'dana@example.com',
    publicKey: 'oncall',
    created: new Date(begun).toISOString(),
  }
  const other = {
    id: OTHER_ORG,
    name: 'Other',
    apiKeys: [{ id: THEIR_KEY, desc: 'Theirs', publicKey: 'theirs', privateKey: 'canary', roles: [] }],
    events: [changed],
  }
  return { ...others, organizations: [{ ...acme, apiKeys }, other] }
}

const week = (scene: Scene): Promise<unknown> => scene.control('POST', 'clock', { advance: 'P7D' })

/** How many pages of events a command reads. */
const pagesOf = async (scene: Scene, ...words: string[]): Promise<number> => {
  await scene.forgetRequests()
  await scene.run(...words)
  const { log } = await scene.requests()
  return log.filter(({ path, status }) => path.includes('/events') && status === 200).length
}

const apply = (scene: Scene) => scene.run('apply', '--auto-approve')
const dana = async (scene: Scene): Promise<any> => (await scene.state()).resources['users.dana']

it('a plan reads the events since the last apply, and not those since the last write', async () => {
  const scene = await busy()
  const pages: number[] = []
  for (let n = 0; n < WEEKS; n += 1) {
    await week(scene)
    pages.push(await pagesOf(scene, 'plan'))
    expect(await apply(scene)).toMatchObject({ code: 0 })
  }
  expect(pages).toEqual(pages.map(() => 5))
  const { code, stdout } = await scene.run('plan', '--detailed-exitcode')
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No event about it since'),
  })
  expect((await dana(scene)).lastWrite.to < (await dana(scene)).quiet.upTo).toBe(true)
})

it('what somebody does later is told, and by whom', async () => {
  const scene = await busy()
  await week(scene)
  await apply(scene)
  await week(scene)
  const { userId } = (await dana(scene)).identity
  await scene.outside('PATCH', `/users/${userId}`, { roles: [org('ORG_OWNER')] })
  expect((await scene.run('drift', '--unmanaged', 'off')).stdout).toContain('key "oncall"')
  expect((await scene.run('plan')).stdout).toContain('key "oncall"')
})

it('what somebody has changed, and is left to others, does not become quiet', async () => {
  const scene = await busy()
  const { userId } = (await dana(scene)).identity
  await scene.manifest(MANIFEST.replace('password:', 'ignoreChanges: [roles], password:'))
  await scene.control('POST', 'clock', { advance: 'PT1H' })
  await scene.outside('PATCH', `/users/${userId}`, { roles: [org('ORG_OWNER')] })
  for (let n = 0; n < 2; n += 1) {
    await week(scene)
    expect(await apply(scene)).toMatchObject({ code: 0 })
  }
  expect(await dana(scene)).not.toHaveProperty('quiet')
  expect((await scene.run('drift')).stdout).toContain('key "oncall"')
})

it('what cannot become quiet does not make every apply save the state', async () => {
  const other = DANA.replaceAll(/dana(?=:|@)/g, 'sam')
  const scene = await busy(MANIFEST.replace(DANA, `${DANA}\n${other}`))
  const { userId } = (await dana(scene)).identity
  await scene.manifest(
    MANIFEST.replace(DANA, `${DANA.replace('password:', 'ignoreChanges: [roles], password:')}\n${other}`),
  )
  await scene.control('POST', 'clock', { advance: 'PT1H' })
  await scene.outside('PATCH', `/users/${userId}`, { roles: [org('ORG_OWNER')] })
  await week(scene)
  await apply(scene)
  const noted = await scene.state()
  expect([noted.resources['users.dana'].quiet, noted.resources['users.sam'].quiet]).toEqual([
    undefined,
    expect.objectContaining({ orgs: [ORG] }),
  ])
  await scene.control('POST', 'clock', { advance: 'P1D' })
  await apply(scene)
  expect(await scene.state()).toEqual(noted)
})

it('events of an organization that was not read before are read back to the last write', async () => {
  const scene = await busy(MANIFEST, twoOrganizations)
  await week(scene)
  await apply(scene)
  expect(await dana(scene)).toHaveProperty('quiet')
  expect((await scene.run('plan')).stdout).not.toContain('key "oncall"')
  const theirs = `apiKeys:\n  theirs: { orgId: ${OTHER_ORG}, apiKeyId: ${THEIR_KEY}, desc: Theirs }\n`
  await scene.manifest(`${MANIFEST.replace(/^apiKeys:.*\n/m, '')}${theirs}`)
  expect((await scene.run('plan', '--target', 'users.dana')).stdout).toContain('key "oncall"')
})

it('what was noted before the clock of the service was set back does not count once it has passed that', async () => {
  const scene = await busy()
  await week(scene)
  await apply(scene)
  const { upTo } = (await dana(scene)).quiet
  const back = new Date(Date.parse(upTo) - 3_600_000).toISOString()
  await scene.control('POST', 'clock', { now: back })
  const { userId } = (await dana(scene)).identity
  await scene.manifest(MANIFEST.replace('password:', 'ignoreChanges: [roles], password:'))
  await scene.outside('PATCH', `/users/${userId}`, { roles: [org('ORG_OWNER')] })
  await apply(scene)
  await scene.control('POST', 'clock', { advance: 'PT3H' })
  await scene.manifest(MANIFEST)
  expect((await scene.run('plan')).stdout).toContain('key "oncall"')
})

it('a report on what nobody declares still reads as far back as before', async () => {
  const scene = await busy()
  await scene.control('POST', 'clock', { advance: 'PT1H' })
  await scene.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, {
    alertTypeNames: ['HOST'],
    startDate: '2035-01-06T02:00:00Z',
    endDate: '2035-01-06T04:00:00Z',
  })
  for (let n = 0; n < 2; n += 1) {
    await week(scene)
    await apply(scene)
  }
  expect(await dana(scene)).toHaveProperty('quiet')
  const { unmanaged } = (await scene.json('drift')).document
  expect(unmanaged.filter(({ seenIn }: any) => seenIn === 'events')).toMatchObject([
    { section: 'maintenanceWindows' },
  ])
})

it('where few events are read, an apply without changes saves nothing', async () => {
  const scene = await beginApplied(MANIFEST)
  const before = await scene.state()
  await week(scene)
  expect(await apply(scene)).toMatchObject({ code: 0 })
  expect(await scene.state()).toEqual(before)
})
