import { beforeEach, describe, expect, it } from 'vitest'
import { ORG, PASSWORD } from '../support/installation.ts'
import { pass } from '../support/proxy.ts'
import { at, begin, only, writesIn, type Scene } from '../support/scene.ts'
import { after, killAt } from './support/kill.ts'
import { expectConverged, expectStuck, sent, unknownIn } from './support/unknown.ts'

let here: Scene

const DETAILS = 'firstName: D, lastName: R, mobileNumber: "2125550198"'
const user = (name: string, more = ''): string =>
  `  ${name}: { username: ${name}@example.com, emailAddress: ${name}@example.com, ${DETAILS}, password: { env: DANA_INITIAL_PASSWORD }, roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }]${more} }`
const held = async (): Promise<any[]> => (await here.control('GET', 'dump')).users
const names = async (): Promise<string[]> => (await held()).map(({ username }) => username)

/** Somebody else makes a user. */
const made = (name: string, roleName = 'ORG_MEMBER') =>
  here.outside('POST', '/users', {
    username: `${name}@example.com`,
    emailAddress: `${name}@example.com`,
    firstName: 'D',
    lastName: 'R',
    mobileNumber: '2125550198',
    password: PASSWORD,
    roles: [{ roleName, orgId: ORG }],
  })

/** Shows that the service refuses an existing name. */
const prove = async (): Promise<void> => {
  await made('eve')
  await here.manifest(only('users', user('eve')))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 1 })
}

const loseFault = (fault: string) =>
  here.control('POST', 'faults', { method: 'POST', path: '^/users$', fault, count: 1 })

const lose = async (fault: string, text = user('dana')): Promise<void> => {
  await here.manifest(only('users', text))
  await loseFault(fault)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
}

const later = (advance = 'PT3M') => here.control('POST', 'clock', { advance })

describe('a lost creation of a user that no event settles', () => {
  beforeEach(async () => {
    here = await begin({ settings: { 'open.events': 'none' }, proxied: true })
  })

  it('is sent again where the service has refused a name that exists, and is known to be made only now', async () => {
    await prove()
    await lose('reset-before')
    await later()
    const plan = await here.json('plan')
    expect(plan.document.toBeSettled).toMatchObject([{ address: 'users.dana' }])
    expect(at(plan.document, 'users.dana')).toMatchObject({ action: 'create' })
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('Settled: users.dana: the request whose answer was lost had not created it')
    expect(await names()).toEqual(['eve@example.com', 'dana@example.com'])
    expect((await here.state()).resources['users.dana'].identity).toEqual({ userId: (await held())[1].id })
    expect(await unknownIn(here)).toEqual([])
    await expectConverged(here)
  })

  it('exists if a second creation is refused: it is recorded without its id, and no longer unknown', async () => {
    await prove()
    await lose('reset-after')
    await later()
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('Settled: users.dana: the service refuses a second dana@example.com')
    expect(await unknownIn(here)).toEqual([])
    expect((await here.state()).resources['users.dana'].identity).toEqual({})
    await here.forgetRequests()
    await expectConverged(here)
    expect(await writesIn(here)).toEqual([])
    const { document } = await here.json('plan')
    expect(at(document, 'users.dana').evidence).toMatchObject({ level: 'unknown' })
    expect(at(document, 'users.dana').evidence.note).toContain('its userId is not known')
  })

  it('may have existed before, so a person has to give its id, with all of its roles', async () => {
    await prove()
    await made('dana', 'ORG_OWNER')
    await lose('reset-before')
    await later()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const dana = (await held()).find(({ username }) => username === 'dana@example.com')
    await here.manifest(only('users', user('dana', `, userId: ${dana.id}`)))
    await here.forgetRequests()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
    expect(await writesIn(here)).toEqual([])
    await here.manifest(only('users', user('dana', `, userId: ${dana.id}, rolesComplete: true`)))
    await expectConverged(here)
    expect(await writesIn(here)).toEqual([`PATCH /users/${dana.id}`])
  })

  it('is left to a person where the service has never refused an existing name', async () => {
    await lose('reset-before')
    await later()
    expect(await expectStuck(here, ['users.dana'])).toContain('no event shows it')
  })

  it('is left to a person where the service tells no version', async () => {
    here.proxy.steer(async (_, forward) => {
      const { headers, ...answer } = await forward()
      const { 'x-vendor-service-version': __, ...others } = headers
      return { ...answer, headers: others }
    })
    await prove()
    await lose('reset-before')
    await later()
    expect(await expectStuck(here, ['users.dana'])).toContain('no event shows it')
  })

  it('is not sent again while the first can still take effect', async () => {
    await prove()
    await lose('reset-before')
    expect(await expectStuck(here, ['users.dana'])).toContain('could still take effect until')
  })

  it.each([
    ['is declared with other values', () => user('dana').replace('lastName: R', 'lastName: S')],
    ['is not declared any more', () => user('ida')],
  ])('is left to a person where it %s', async (_, text) => {
    await prove()
    await lose('reset-before')
    await later()
    await here.manifest(only('users', text()))
    expect(await expectStuck(here, ['users.dana'])).toContain('no event shows it')
  })

  it('is left to a person outside of the target', async () => {
    await prove()
    await lose('reset-before', `${user('dana')}\n${user('ida')}`)
    await later()
    expect(
      await expectStuck(here, ['users.dana'], ['apply', '--auto-approve', '--target', 'users.ida']),
    ).toContain('no event shows it')
  })

  it('is left to a person once the service tells another version', async () => {
    await prove()
    await lose('reset-before')
    await later()
    here.proxy.steer(async (_, forward) => {
      const passed = await forward()
      return { ...passed, headers: { ...passed.headers, 'x-vendor-service-version': 'versionString=99' } }
    })
    expect(await expectStuck(here, ['users.dana'])).toContain('no event shows it')
    here.proxy.steer(pass)
    await expectConverged(here)
  })

  it('stays unknown while its second answer is lost too, or is another refusal, and is settled by the third', async () => {
    await prove()
    await lose('reset-after')
    await later()
    await here.control('POST', 'faults', {
      method: 'POST',
      path: '^/users$',
      fault: 'status',
      status: 403,
      count: 1,
    })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 1 })
    expect(await unknownIn(here)).toEqual(['users.dana'])
    await loseFault('reset-after')
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    await later()
    const { code, stdout } = await here.run('apply', '--auto-approve')
    expect({ code, stdout }).toMatchObject({ code: 0 })
    expect(await unknownIn(here)).toEqual([])
    expect(await names()).toEqual(['eve@example.com', 'dana@example.com'])
  })

  it('is settled after a kill, and what was learnt before outlives one', async () => {
    await made('eve')
    await here.manifest(only('users', `${user('eve')}\n${user('dana')}`))
    await killAt(here, ({ method, body }) => method === 'POST' && body.includes('dana'), after)
    await later()
    await here.manifest(only('users', user('dana')))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await sent(here, 'POST')).toBe(4)
    expect(await unknownIn(here)).toEqual([])
  })
})

describe('a lost creation of a user whose event is lost or late', () => {
  it('is sent again, and what a late event shows to be ours is sure from then on', async () => {
    here = await begin({ proxied: true })
    await prove()
    here.proxy.steer(async ({ path }, forward) => {
      const passed = await forward()
      if (!path.includes('/events') || passed.status !== 200) return passed
      const list = JSON.parse(passed.body.toString())
      const results = list.results.filter(({ targetUsername }: any) => targetUsername !== 'dana@example.com')
      return { ...passed, body: JSON.stringify({ ...list, results, totalCount: results.length }) }
    })
    await lose('reset-after')
    await later()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect((await here.state()).resources['users.dana'].unsure).toEqual(['roles'])
    here.proxy.steer(pass)
    await expectConverged(here)
    expect((await here.state()).resources['users.dana'].unsure).toBeUndefined()
  })
})
