/**
 * The creation of a user whose answer was lost: events settle it, and what they do not tell is an error that says so.
 */
import { describe, expect, it } from 'vitest'
import { failing, ORG, PASSWORD } from '../support/installation.ts'
import type { Steer } from '../support/proxy.ts'
import { text, user } from './support/hcl.ts'
import { betweenThem } from './support/proxied.ts'
import { noTerraform } from './support/terraform.ts'
import { configured, type Options, type Workspace } from './support/workspace.ts'

/** The user as another key creates her. */
const DANA = {
  username: 'dana@example.com',
  emailAddress: 'dana@example.com',
  firstName: 'Dana',
  lastName: 'Reyes',
  mobileNumber: '2125550198',
  password: PASSWORD,
  roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }],
}

const held = async (here: Workspace): Promise<any[]> => (await here.control('GET', 'dump')).users

const losing = async (fault: string, hcl = user(), options: Options = {}): Promise<Workspace> => {
  const here = await configured(hcl, options)
  await failing(here, 'POST', '^/users$', { fault, count: 1 })
  return here
}

/** Dana exists, created by an apply that got no answer. */
const lost = async (more: Record<string, string> = {}): Promise<Workspace> => {
  const here = await losing('reset-after', user(more))
  await here.apply()
  await here.newWrites()
  return here
}

/** The person has signed in: from then on, one event has both name and id. */
const signedIn =
  (username: string, userId: string): Steer =>
  async ({ path }, forward) => {
    const passed = await forward()
    if (!path.includes('/events') || passed.status !== 200) return passed
    const list = JSON.parse(passed.body.toString())
    const created = list.results[0]?.created ?? '2026-11-20T00:00:00Z'
    const event = { id: '6b00c3f15d1113b25a115342', eventTypeName: 'USER_LOGIN', orgId: ORG, created }
    const results = [{ ...event, username, userId }, ...list.results]
    return { ...passed, body: JSON.stringify({ ...list, results, totalCount: results.length }) }
  }

const idNotKnown = /its user_id is not known, so it cannot be changed/
const fewerRoles = { roles: '[{ role_name = "ORG_MEMBER", org_id = "ORG_ID" }]' }

describe.skipIf(noTerraform)('a user whose creation lost its answer', () => {
  it('is in the state by its event, without an id, and is not created again', async () => {
    const here = await losing('reset-after')
    const { said } = await here.apply()
    expect(said).toContain('an event shows that dana@example.com was created')
    expect(said).toContain('1 added')
    expect(await here.state('user.dana')).toMatchObject({
      user_id: null,
      id: null,
      username: 'dana@example.com',
      evidence: 'recorded',
    })
    expect((await here.expectNoChanges()).said).toMatch(idNotKnown)
    expect(await here.newWrites()).toEqual(['POST /users'])
    expect(await held(here)).toHaveLength(1)
  })

  it('has its id in the state as soon as an event tells it, and its roles can be changed then', async () => {
    const here = await lost()
    await here.configure(user(fewerRoles))
    const refused = await here.expect(1, 'apply', '-auto-approve')
    expect(refused.said).toMatch(idNotKnown)
    // It is no creation, of which the plan would warn so.
    expect(refused.said).not.toContain('the state has it already')
    expect(await here.newWrites()).toEqual([])
    const [{ id }] = await held(here)
    const proxy = await betweenThem(here)
    proxy.steer(signedIn('dana@example.com', id))
    expect((await here.plan()).changes).toMatchObject([{ actions: ['update'], before: { user_id: id, id } }])
    await here.apply()
    expect(await here.newWrites()).toEqual([`PATCH /users/${id}`])
    expect(await here.state('user.dana')).toMatchObject({ user_id: id, id, evidence: 'recorded' })
    await here.expectNoChanges()
  })

  it('has the id that the configuration tells, in place, and its roles are written to that', async () => {
    const here = await lost()
    const [{ id }] = await held(here)
    await here.configure(user({ user_id: text(id), roles_complete: 'true' }))
    expect((await here.plan()).changes).toMatchObject([{ actions: ['update'], after: { user_id: id } }])
    await here.apply()
    expect(await here.newWrites()).toEqual([`PATCH /users/${id}`])
    expect(await here.state('user.dana')).toMatchObject({ user_id: id, id })
    expect((await here.expectNoChanges()).said).not.toMatch(idNotKnown)
  })

  it.each([
    ['is forgotten with nothing sent', {}, 0, 0, /Destroy complete/],
    [
      'keeps its roles, and stays in the state, where they were to be taken',
      { on_remove: '"revoke"' },
      1,
      1,
      idNotKnown,
    ],
  ])('%s, when it is destroyed', async (_, more, code, left, told) => {
    const here = await lost(more)
    const { said } = await here.expect(code, 'destroy', '-auto-approve')
    expect(said).toMatch(told)
    expect(await here.newWrites()).toEqual([])
    expect((await here.expect(0, 'state', 'list')).stdout.match(/deploymgmt_user/g) ?? []).toHaveLength(left)
  })

  it('that had no effect is in no state, is not tainted, and is made by the next apply', async () => {
    const here = await losing('reset-before')
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('may have been created')
    expect(said).toContain('could still take effect until')
    expect((await here.expect(0, 'state', 'list')).stdout).toBe('')
    await here.apply()
    expect(await held(here)).toHaveLength(1)
    await here.expectNoChanges()
  })

  it('that no event tells of is in no state, and the next apply says how to take it over', async () => {
    const here = await losing('reset-after', user(), { settings: { 'open.events': 'none' } })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('may have been created')
    expect((await here.expect(0, 'state', 'list')).stdout).toBe('')
    const again = await here.expect(1, 'apply', '-auto-approve')
    expect(again.said).toMatch(/DM-ALREADY-EXISTS.*declare its user_id and roles_complete = true/)
    expect((await here.expect(0, 'state', 'list')).stdout).toBe('')
    const [{ id }] = await held(here)
    await here.change(user({ user_id: text(id), roles_complete: 'true' }))
    expect(await held(here)).toHaveLength(1)
    await here.expectNoChanges()
  })

  it('and that was there before is for a person, who is told the id where an event has it', async () => {
    const here = await configured(user())
    const { id } = await here.outside('POST', '/users', DANA)
    await failing(here, 'POST', '^/users$', { fault: 'reset-before', count: 1 })
    const proxy = await betweenThem(here)
    proxy.steer(signedIn(DANA.username, id))
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain(`an event shows that dana@example.com exists, and that its id is ${id}`)
    expect(said).not.toContain(PASSWORD)
    expect((await here.expect(0, 'state', 'list')).stdout).toBe('')
  })
})
