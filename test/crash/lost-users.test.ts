import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { failing, manifestWith, ORG, PASSWORD } from '../support/installation.ts'
import { pass, type Steer } from '../support/proxy.ts'
import { at, begin, only, writesIn, type Scene } from '../support/scene.ts'
import { expectConverged, expectStuck, resolve, sent, unknownIn } from './support/unknown.ts'

let here: Scene

const DANA = manifestWith({ apiKeys: '', alertConfigurations: '', maintenanceWindows: '', integrations: '' })
const held = async (): Promise<any[]> => (await here.control('GET', 'dump')).users

const READS_ALL = DANA.replace('GROUP_READ_ONLY', 'GROUP_OWNER')
const CREATED = {
  username: 'dana@example.com',
  emailAddress: 'dana@example.com',
  firstName: 'Dana',
  lastName: 'Reyes',
  mobileNumber: '2125550198',
  password: PASSWORD,
  roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }],
}
const EVE = `  eve: { username: eve@example.com, emailAddress: eve@example.com, firstName: Eve, lastName: Ito, mobileNumber: "2125550199", password: { env: DANA_INITIAL_PASSWORD }, roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }] }`
const WINDOW =
  '  w: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: w }'

/** Adds an event that contains both name and id, as if the person had signed in. */
const withEventsOf =
  (username: string, userId: string): Steer =>
  async ({ path }, forward) => {
    const passed = await forward()
    if (!path.includes('/events') || passed.status !== 200) return passed
    const list = JSON.parse(passed.body.toString())
    const [newest] = list.results
    const event = {
      id: '6b00c3f15d1113b25a115342',
      eventTypeName: 'USER_LOGIN',
      orgId: ORG,
      created: newest.created,
    }
    const results = [{ ...event, username, userId }, ...list.results]
    return { ...passed, body: JSON.stringify({ ...list, results, totalCount: results.length }) }
  }

/** The next creation of a user is cut off before it reaches the service. */
const neverArrives = (): Promise<void> =>
  failing(here, 'POST', '^/users$', { fault: 'reset-before', count: 1 })

const applyAndLose = async (fault: string, manifest = DANA): Promise<void> => {
  here = await begin({ manifest, proxied: true })
  await here.control('POST', 'faults', { method: 'POST', path: '^/users$', fault, count: 1 })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
}

describe('a user whose creation lost its answer', () => {
  it('is named by a plan with all else that is of unknown outcome, each with the command that resolves it', async () => {
    here = await begin({ manifest: DANA.replace(/$/, `maintenanceWindows:\n${WINDOW}\n`), proxied: true })
    const lost = { method: 'POST', count: 1 }
    await here.control('POST', 'faults', { ...lost, path: '^/users$', fault: 'reset-before' })
    await here.control('POST', 'faults', { ...lost, path: 'maintenanceWindows', fault: 'reset-after' })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    for (const command of ['plan', 'drift']) {
      const { code, stderr } = await here.run(command)
      expect(code).toBe(3)
      for (const address of ['users.dana', 'maintenanceWindows.w'])
        expect(stderr).toContain(`    deploymgmt state resolve ${address} --created ID`)
      expect(stderr).toContain(
        'The next apply finds out about these by itself:\n  maintenanceWindows.w: POST /groups/',
      )
    }
  })

  it('is known to be there by its event, is never created again, and can be verified no more than before', async () => {
    await applyAndLose('reset-after')
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('Settled: users.dana: an event shows that dana@example.com was created')
    const plan = await here.json('plan', '--detailed-exitcode')
    expect(plan).toMatchObject({ code: 0, document: { inSync: true, summary: { unverifiable: 1 } } })
    expect(at(plan.document, 'users.dana')).toMatchObject({ action: 'unchanged' })
    expect(at(plan.document, 'users.dana').evidence.note).toContain('Its userId is not known')
    expect(await here.json('drift')).toMatchObject({ code: 0, document: { summary: { unverifiable: 1 } } })
    expect(await sent(here, 'POST')).toBe(1)
    expect(await unknownIn(here)).toEqual([])
  })

  it('has its roles changed once its id is known, and until then that is blocked', async () => {
    await applyAndLose('reset-after')
    await here.manifest(READS_ALL)
    const { code, stdout } = await here.run('apply', '--auto-approve')
    expect({ code, stdout }).toMatchObject({ code: 2 })
    expect(stdout).toContain('its userId is not known, so it cannot be changed')
    expect(await sent(here, 'PATCH')).toBe(0)
    const [{ id }] = await held()
    here.proxy.steer(withEventsOf('dana@example.com', id))
    expect(at((await here.json('plan')).document, 'users.dana')).toMatchObject({
      action: 'update',
      requests: [{ method: 'PATCH', path: `/users/${id}` }],
    })
    await expectConverged(here)
    here.proxy.steer(pass)
    expect((await here.state()).resources['users.dana'].identity).toEqual({ userId: id })
    await expectConverged(here)
  })

  it('has its id recorded as soon as an event tells it, with nothing sent', async () => {
    await applyAndLose('reset-after')
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const [{ id }] = await held()
    here.proxy.steer(withEventsOf('dana@example.com', id))
    await here.forgetRequests()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect((await here.state()).resources['users.dana'].identity).toEqual({ userId: id })
    expect(await writesIn(here)).toEqual([])
  })

  it('has the id from the manifest, and its roles are written there', async () => {
    await applyAndLose('reset-after')
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const [{ id }] = await held()
    await here.manifest(DANA.replace('username:', `userId: ${id}\n    rolesComplete: true\n    username:`))
    await here.forgetRequests()
    await expectConverged(here)
    expect(await writesIn(here)).toEqual([`PATCH /users/${id}`])
    expect((await here.state()).resources['users.dana'].identity).toEqual({ userId: id })
  })

  it.each([
    ['is forgotten with nothing sent', '', 0],
    ['keeps its roles, which is blocked, where they were to be taken', '\n    onRemove: revoke', 2],
  ])('%s, when it is taken out of the manifest', async (_, onRemove, ends) => {
    await applyAndLose('reset-after', DANA + onRemove.slice(1) + '\n')
    await here.run('apply', '--auto-approve')
    await here.manifest(only('users', ''))
    await here.forgetRequests()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: ends })
    expect(await writesIn(here)).toEqual([])
  })

  it('that was there before is for a person, who adopts it', async () => {
    here = await begin({ manifest: DANA, proxied: true })
    await here.outside('POST', '/users', CREATED)
    await neverArrives()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    expect(await expectStuck(here, ['users.dana'])).toContain(
      'dana@example.com exists, but no event contains its id',
    )
  })

  it('was not created, as shown by writing the roles of another user again if nothing else was written', async () => {
    here = await begin({ manifest: only('users', EVE), proxied: true })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const [{ id }] = await held()
    await neverArrives()
    await here.manifest(`${DANA}${EVE}\n`)
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.forgetRequests()
    await expectConverged(here)
    expect(await writesIn(here)).toEqual([`PATCH /users/${id}`, 'POST /users'])
  })

  it('is left to a person, without a write to find out, if no creation shows that users have events', async () => {
    here = await begin({ manifest: only('maintenanceWindows', WINDOW), proxied: true })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await neverArrives()
    await here.manifest(`${DANA}maintenanceWindows:\n${WINDOW}\n`)
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.forgetRequests()
    for (const words of [['plan'], ['apply', '--auto-approve']]) {
      const { code, stdout, stderr } = await here.run(...words)
      expect({ code, isPromised: stdout.includes('with the event of a later write') }).toEqual({
        code: 3,
        isPromised: false,
      })
      expect(stderr).toContain('deploymgmt state resolve users.dana --not-created')
    }
    expect(await writesIn(here)).toEqual([])
  })

  it('was not created where an event of a later write is there and none of its own', async () => {
    here = await begin({ manifest: only('users', EVE), proxied: true })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await neverArrives()
    await here.manifest(`${DANA}${EVE}\nmaintenanceWindows:\n${WINDOW}\n`)
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await expectConverged(here)
    expect((await held()).map(({ username }) => username)).toEqual(['eve@example.com', 'dana@example.com'])
  })

  it('is not created twice when a person is wrong: the service refuses, and the message says how to adopt it', async () => {
    await applyAndLose('reset-after')
    await resolve(here, 'users.dana', '--not-created')
    const { code, stdout, stderr } = await here.run('apply', '--auto-approve')
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('DM-ALREADY-EXISTS')
    expect(stdout + stderr).toContain('declare its userId')
    expect(await held()).toHaveLength(1)
    expect(await unknownIn(here)).toEqual([])
  })

  it('that never reached the service is created after --not-created', async () => {
    await applyAndLose('reset-before')
    expect(await expectStuck(here, ['users.dana'])).toContain('could still take effect until')
    await here.control('POST', 'clock', { advance: 'PT1M' })
    expect(await expectStuck(here, ['users.dana'])).toContain('no event shows it')
    await resolve(here, 'users.dana', '--not-created')
    await expectConverged(here)
    expect(await held()).toHaveLength(1)
  })

  it('has its password in no file that the crash leaves behind', async () => {
    await applyAndLose('reset-after')
    const files = (await readdir(here.folder)).filter((name) => name !== 'deploymgmt.yaml')
    expect(files).toContain('deploymgmt.state.journal')
    const texts = await Promise.all(files.map((name) => readFile(`${here.folder}/${name}`, 'utf8')))
    expect(texts.join('\n')).not.toContain('canary')
  })
})
