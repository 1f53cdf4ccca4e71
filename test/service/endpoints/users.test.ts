import { describe, expect, test } from 'vitest'
import { newUser } from '../support/endpoints.ts'
import { ids, keys } from '../support/fixture.ts'
import { type TestService, serve, serveWith } from '../support/service.ts'

const orgMember = { roleName: 'ORG_MEMBER', orgId: ids.org }
const orgReader = { roleName: 'ORG_READ_ONLY', orgId: ids.org }
const orgOwner = { roleName: 'ORG_OWNER', orgId: ids.org }
const projectReader = { roleName: 'GROUP_READ_ONLY', groupId: ids.project }
const projectOwner = { roleName: 'GROUP_OWNER', groupId: ids.project }
const otherMember = { roleName: 'ORG_MEMBER', orgId: ids.otherOrg }
const globalReader = { roleName: 'GLOBAL_READ_ONLY' }
const otherOwner = { roleName: 'ORG_OWNER', orgId: ids.otherOrg }
const bypass = { 'service.user.bypassInviteForExistingUsers': 'true' }

const userIn = async (service: TestService, username: string) => {
  const { users } = (await service.control('GET', '/dump')).body
  return users.find((user: { username: string }) => user.username === username)
}

const patchDana = async (service: TestService, roles: unknown, key = keys.ci) =>
  await service.as(key)('PATCH', `/users/${ids.dana}`, { roles })

describe('creating a user', () => {
  test('endpoint 11 answers with no password and empty roles, and invites', async () => {
    const service = await serve()
    const { status, body, text } = await service.call('POST', '/users', newUser)
    const { password, roles: _roles, ...profile } = newUser
    expect(status).toBe(201)
    expect(body).toEqual({ ...profile, id: expect.any(String), roles: [], links: [] })
    expect(text).not.toContain(password)
    expect(await userIn(service, newUser.username)).toMatchObject({
      password,
      roles: [],
      invitations: [orgMember],
    })
  })

  test('endpoint 11 says which role has no name', async () => {
    const { call } = await serve()
    const { body } = await call('POST', '/users', { ...newUser, roles: [orgMember, { orgId: ids.org }] })
    expect(body).toMatchObject({ errorCode: 'MISSING_ATTRIBUTE', parameters: ['roles/1/roleName'] })
  })

  test.each(Object.keys(newUser))('endpoint 11 needs %s', async (name) => {
    const { call } = await serve()
    const { [name as keyof typeof newUser]: _left, ...body } = newUser
    const reply = await call('POST', '/users', body)
    expect([reply.status, reply.body.errorCode, reply.body.parameters]).toEqual([
      400,
      'MISSING_ATTRIBUTE',
      [name],
    ])
  })

  test.each([
    [{ username: 7 }, 400, 'INVALID_ATTRIBUTE'],
    [{ username: '' }, 400, 'INVALID_USERNAME'],
    [{ password: '' }, 400, 'WEAK_PASSWORD'],
    [{ roles: [{ roleName: 'OTHER' }] }, 400, 'INVALID_ENUM_VALUE'],
    [{ roles: [{ orgId: ids.org }] }, 400, 'MISSING_ATTRIBUTE'],
    [{ roles: [{ ...orgMember, extra: 1 }] }, 400, 'INVALID_JSON_ATTRIBUTE'],
    [{ roles: [{ roleName: 'ORG_MEMBER' }] }, 400, 'ROLE_NEEDS_ORG_ID'],
    [{ roles: [{ roleName: 'GROUP_OWNER' }] }, 400, 'ROLE_NEEDS_GROUP_ID'],
    [{ roles: [{ ...projectReader, orgId: ids.org }] }, 400, 'ROLE_NEEDS_NO_ORG_ID'],
    [{ roles: [{ ...orgMember, groupId: ids.project }] }, 400, 'ROLE_NEEDS_NO_GROUP_ID'],
    [{ roles: [{ ...globalReader, orgId: ids.org }] }, 400, 'ROLE_NEEDS_NO_ORG_ID'],
    [{ roles: [{ roleName: 'ORG_MEMBER', orgId: ids.absent }] }, 404, 'ORG_NOT_FOUND'],
    [{ roles: [{ roleName: 'GROUP_OWNER', groupId: ids.absent }] }, 404, 'GROUP_NOT_FOUND'],
    [{ roles: [globalReader] }, 403, 'CANNOT_ADD_GLOBAL_ROLE'],
    [{ username: 'SAM@example.com' }, 409, 'USER_ALREADY_EXISTS'],
  ])('endpoint 11 refuses %j with %i %s', async (change, status, errorCode) => {
    const { call } = await serve()
    const reply = await call('POST', '/users', { ...newUser, ...change })
    expect([reply.status, reply.body.errorCode]).toEqual([status, errorCode])
    // An error repeats neither the password nor any other value.
    expect(reply.text).not.toContain(newUser.password)
  })

  test.each([
    ['false', ['anything', 'a b', '@'], []],
    ['loose', ['a@b.', 'x@y.z', '@.'], ['a.b@c', 'plain', 'a.b']],
    [
      'strict',
      ['a.b+c@example.com', "o'x@sub.example.org"],
      ['a@b', 'a@b.', '@example.com', 'a b@example.com', 'a..b@c.d'],
    ],
  ])('under service.email.validation=%s endpoint 11 takes %j and refuses %j', async (value, good, bad) => {
    const { call } = await serveWith({ 'service.email.validation': value })
    for (const username of good)
      expect((await call('POST', '/users', { ...newUser, username })).status).toBe(201)
    for (const username of bad) {
      const { body } = await call('POST', '/users', { ...newUser, username })
      expect(body.errorCode).toBe('INVALID_USERNAME')
    }
  })

  test('endpoint 11 gives global roles at once, when the caller may give them', async () => {
    const service = await serve()
    const created = await service.as(keys.root)('POST', '/users', {
      ...newUser,
      roles: [globalReader, orgMember],
    })
    expect(created.status).toBe(201)
    expect(await userIn(service, newUser.username)).toMatchObject({
      roles: [globalReader],
      invitations: [orgMember],
    })
  })

  test('endpoint 11 leaves a creation in each organization concerned, and the invitations', async () => {
    const { call } = await serve()
    await call('POST', '/users', { ...newUser, roles: [orgMember, orgReader, projectReader] })
    const { results } = (await call('GET', `/orgs/${ids.org}/events`)).body
    const target = { targetUsername: newUser.username, publicKey: 'ciadmin', orgId: ids.org }
    expect(results.slice(0, 3)).toMatchObject([
      { eventTypeName: 'INVITED_TO_ORG', ...target },
      { eventTypeName: 'INVITED_TO_GROUP', ...target, groupId: ids.project },
      { eventTypeName: 'USER_CREATED_AUDIT', ...target },
    ])
    expect(JSON.stringify(results)).not.toContain(newUser.password)
  })

  test('open.createUserAnswer=full, open.bypassInviteOnCreation and open.passwordRule are kept to', async () => {
    const service = await serveWith({
      ...bypass,
      'open.createUserAnswer': 'full',
      'open.bypassInviteOnCreation': 'true',
      'open.passwordRule': 'strong',
    })
    const { body } = await service.call('POST', '/users', newUser)
    expect(body).toMatchObject({ roles: [orgMember], links: [{ rel: 'self' }] })
    for (const password of ['short1!', 'letters-only', '12345678!', 'letters1']) {
      const reply = await service.call('POST', '/users', { ...newUser, username: 'b@c.d', password })
      expect(reply.body.errorCode).toBe('WEAK_PASSWORD')
    }
  })
})

describe('updating roles', () => {
  test('endpoint 9 answers roles in effect: a new one is an invitation until it is accepted', async () => {
    const service = await serve()
    const { body } = await patchDana(service, [orgMember, orgReader])
    expect(body).toMatchObject({
      id: ids.dana,
      username: 'dana@example.com',
      roles: [projectReader, orgMember, otherMember],
      teamIds: [],
      links: [{ rel: 'self' }, { rel: 'urn:deploymgmt:rel:accessList' }],
    })
    expect((await userIn(service, 'dana@example.com')).invitations).toEqual([orgReader])
    await service.control('POST', '/invitations', { userId: ids.dana, accept: true })
    const accepted = await userIn(service, 'dana@example.com')
    expect(accepted).toMatchObject({ invitations: [] })
    expect(accepted.roles).toContainEqual(orgReader)
  })

  test('an invitation that is declined is gone', async () => {
    const service = await serve()
    await patchDana(service, [orgMember, orgReader])
    await service.control('POST', '/invitations', { userId: ids.dana, accept: false })
    const user = await userIn(service, 'dana@example.com')
    expect(user.invitations).toEqual([])
    expect(user.roles).not.toContainEqual(orgReader)
  })

  test('service.user.bypassInviteForExistingUsers gives a new role at once', async () => {
    const service = await serveWith(bypass)
    expect((await patchDana(service, [orgReader])).body.roles).toEqual([
      projectReader,
      orgReader,
      otherMember,
    ])
  })

  test.each([
    ['scoped', [orgReader], [projectReader, orgReader, otherMember]],
    ['replace', [orgReader], [orgReader]],
    ['merge', [orgReader], [projectReader, orgMember, orgReader, otherMember]],
    ['scoped', [], [otherMember]],
    ['replace', [], [otherMember]],
    ['merge', [], [projectReader, orgMember, otherMember]],
  ])('under open.userRoles=%s the roles %j make %j', async (value, submitted, expected) => {
    const service = await serveWith({ ...bypass, 'open.userRoles': value })
    const { status, body } = await patchDana(service, submitted)
    expect(status).toBe(200)
    expect(body.roles).toEqual(expected)
  })

  test('open.emptyRoles=nothing takes nothing away for an empty list', async () => {
    const service = await serveWith({ 'open.emptyRoles': 'nothing' })
    expect((await patchDana(service, [])).body.roles).toEqual([projectReader, orgMember, otherMember])
  })

  test('endpoint 9 takes back an invitation that is no longer in the list', async () => {
    const service = await serve()
    await patchDana(service, [orgMember, orgReader])
    await patchDana(service, [orgMember])
    expect((await userIn(service, 'dana@example.com')).invitations).toEqual([])
  })

  test.each([
    [{}, 400, 'MISSING_ATTRIBUTE'],
    [{ roles: [orgMember], firstName: 'Other' }, 400, 'ATTRIBUTE_READ_ONLY'],
    [{ roles: [{ roleName: 'ORG_MEMBER' }] }, 400, 'ROLE_NEEDS_ORG_ID'],
    [{ roles: [globalReader] }, 403, 'CANNOT_ADD_GLOBAL_ROLE'],
    [{ roles: [otherMember, { roleName: 'ORG_OWNER', orgId: ids.otherOrg }] }, 401, 'NOT_USER_ADMIN'],
  ])('endpoint 9 refuses %j with %i %s', async (body, status, errorCode) => {
    const { call } = await serve()
    const reply = await call('PATCH', `/users/${ids.dana}`, body)
    expect([reply.status, reply.body.errorCode]).toEqual([status, errorCode])
  })

  test('an owner changes roles of members of what is owned alone, unless open.roleUpdateOfNonMembers=allowed', async () => {
    const own = [{ roleName: 'ORG_MEMBER', orgId: ids.otherOrg }]
    const strict = await serve()
    const refused = await strict.as(keys.stranger)('PATCH', `/users/${ids.sam}`, { roles: own })
    expect([refused.status, refused.body.errorCode]).toEqual([401, 'NOT_USER_ADMIN'])
    const lenient = await serveWith({ 'open.roleUpdateOfNonMembers': 'allowed' })
    expect((await lenient.as(keys.stranger)('PATCH', `/users/${ids.sam}`, { roles: own })).status).toBe(200)
  })

  test('a user can always take from their own roles, and never add to them', async () => {
    const service = await serve()
    expect((await patchDana(service, [orgOwner], keys.dana)).status).toBe(401)
    expect((await patchDana(service, [], keys.dana)).body.roles).toEqual([])
    const strict = await serveWith({ 'open.selfRoleUpdate': 'refused' })
    expect((await patchDana(strict, [], keys.dana)).status).toBe(401)
  })

  test('a project owner changes the roles in the project, and not those in the organization', async () => {
    const owner = { publicKey: 'projectowner', privateKey: 'p' }
    const fixture = {
      organizations: [{ id: ids.org, apiKeys: [{ ...owner, roles: [projectOwner] }, keys.ci] }],
      projects: [{ id: ids.project }],
      users: [{ id: ids.dana, username: 'dana', roles: [orgMember, projectReader] }],
    }
    const service = await serve({ fixture, settings: bypass })
    expect((await patchDana(service, [projectOwner], owner)).body.roles).toEqual([projectOwner, orgMember])
    expect((await patchDana(service, [orgReader], owner)).status).toBe(401)
  })

  test.each([
    ['in an organization', {}, [otherOwner, otherMember], [otherMember], 401, 'NOT_USER_ADMIN'],
    [
      'that are global',
      { 'open.userRoles': 'replace' },
      [globalReader],
      [orgMember],
      403,
      'CANNOT_ADD_GLOBAL_ROLE',
    ],
  ])('an owner elsewhere takes no roles %s', async (_, settings, more, roles, status, errorCode) => {
    const fixture = {
      organizations: [{ id: ids.org, apiKeys: [keys.ci] }, { id: ids.otherOrg }],
      users: [
        { id: ids.dana, username: 'dana', roles: [orgMember, ...more] },
        { id: ids.sam, username: 'sam', roles: [otherOwner] },
      ],
    }
    const { call } = await serve({ fixture, settings })
    const reply = await call('PATCH', `/users/${ids.dana}`, { roles })
    expect([reply.status, reply.body.errorCode]).toEqual([status, errorCode])
  })

  test('the last owner of an organization stays one', async () => {
    const fixture = {
      organizations: [{ id: ids.org, apiKeys: [{ ...keys.root, roles: [{ roleName: 'GLOBAL_OWNER' }] }] }],
      users: [{ id: ids.sam, username: 'sam', roles: [orgOwner] }],
    }
    const { as } = await serve({ fixture })
    const { status, body } = await as(keys.root)('PATCH', `/users/${ids.sam}`, { roles: [] })
    expect([status, body.errorCode]).toEqual([403, 'CANNOT_DEMOTE_LAST_ORG_OWNER'])
  })

  test('endpoint 9 leaves a change of roles, or an invitation alone where there is nothing else', async () => {
    const service = await serve()
    const types = async (orgId: string, key = keys.ci) => {
      const { results } = (await service.as(key)('GET', `/orgs/${orgId}/events`)).body
      return results.map(({ eventTypeName, targetUsername }: Record<string, string>) => [
        eventTypeName,
        targetUsername,
      ])
    }
    await patchDana(service, [orgMember, orgReader])
    expect((await types(ids.org))[0]).toEqual(['INVITED_TO_ORG', 'dana@example.com'])
    await patchDana(service, [orgMember])
    expect((await types(ids.org))[0]).toEqual(['USER_ROLES_CHANGED_AUDIT', 'dana@example.com'])
    await patchDana(service, [], keys.dana)
    expect(await types(ids.otherOrg, keys.stranger)).toEqual([
      ['USER_ROLES_CHANGED_AUDIT', 'dana@example.com'],
    ])
    const { results } = (await service.call('GET', `/orgs/${ids.org}/events`)).body
    expect(results[0]).toMatchObject({ userId: ids.dana, username: 'dana@example.com' })
    expect(results[0]).not.toHaveProperty('apiKeyId')
  })

  test('open.teamIds=objects answers teams as objects', async () => {
    const fixture = {
      organizations: [{ id: ids.org, apiKeys: [keys.ci] }],
      users: [{ id: ids.dana, username: 'dana', roles: [orgMember], teamIds: ['t1'] }],
    }
    const strings = await serve({ fixture })
    expect((await patchDana(strings, [orgMember])).body.teamIds).toEqual(['t1'])
    const objects = await serve({ fixture, settings: { 'open.teamIds': 'objects' } })
    expect((await patchDana(objects, [orgMember])).body.teamIds).toEqual([{ id: 't1' }])
  })
})

describe('the access-list entry of the current user', () => {
  const list = `/users/${ids.sam}/accessList`

  test('endpoint 13 matches the ipAddress of an entry, and no address within a block', async () => {
    const sam = (await serve()).as(keys.sam)
    const found = await sam('GET', `${list}/203.0.113.5`)
    expect(found.body).toMatchObject({
      totalCount: 1,
      results: [{ ipAddress: '203.0.113.5', cidrBlock: '203.0.113.5/32', count: 0 }],
    })
    for (const other of ['203.0.113.6', '203.0.113.0%2F24', '203.0.113.5%2F32', '%20', 'x'.repeat(900)]) {
      const { status, body } = await sam('GET', `${list}/${other}`)
      expect([status, body.errorCode]).toEqual([404, 'ACCESS_LIST_NOT_FOUND'])
    }
  })

  test('endpoint 13 is for the current user alone', async () => {
    const { as } = await serve()
    const { status, body } = await as(keys.dana)('GET', `${list}/203.0.113.5`)
    expect([status, body.errorCode]).toEqual([401, 'USER_UNAUTHORIZED'])
  })

  test('open.accessListEntryMatch finds a block sent with %2F, open.accessListNoMatch answers an empty list', async () => {
    const { as } = await serveWith({
      'open.accessListEntryMatch': 'ipAddressOrCidrBlock',
      'open.accessListNoMatch': 'emptyList',
    })
    const block = await as(keys.sam)('GET', `${list}/203.0.113.0%2F24`)
    expect(block.body.results).toMatchObject([{ ipAddress: null, cidrBlock: '203.0.113.0/24' }])
    expect((await as(keys.sam)('GET', `${list}/203.0.113.6`)).body).toMatchObject({
      results: [],
      totalCount: 0,
    })
  })
})
