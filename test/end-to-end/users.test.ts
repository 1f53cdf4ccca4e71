import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { runHere } from '../support/command.ts'
import { CI, ORG, PASSWORD, PROJECT, type Installation } from '../support/installation.ts'
import {
  plannedActions,
  applyTo,
  begin,
  beginApplied,
  driftOf,
  everyFile,
  expectApply,
  group,
  LEDGER,
  manifestOf,
  org,
  PAT,
  placedFully,
  planOf,
  sam,
  SAM,
  userAt,
} from '../support/people.ts'
import { writesIn } from '../support/scene.ts'

let here: Installation

const MEMBER = `{ roleName: ORG_MEMBER, orgId: ${ORG} }`
const CREATOR = `{ roleName: ORG_GROUP_CREATOR, orgId: ${ORG} }`
const READER = `{ roleName: GROUP_READ_ONLY, projectId: ${PROJECT} }`
const LEDGER_READER = `{ roleName: GROUP_READ_ONLY, projectId: ${LEDGER} }`

const dana = (roles: string, more = '', password = '{ env: DANA_INITIAL_PASSWORD }'): string => `  dana:
    { username: dana@example.com, emailAddress: dana@example.com, firstName: Dana, lastName: Reyes,
      mobileNumber: "2125550198", password: ${password}, roles: [${roles}]${more === '' ? '' : `, ${more}`} }`
const adopted = (roles: string, more = ''): string =>
  `  sam: { userId: ${SAM}, rolesComplete: true, roles: [${roles}]${more === '' ? '' : `, ${more}`} }`

test('a user that is to be adopted without all of its roles is told of by validate, where a plan blocks it', async () => {
  here = await begin({
    users: `  sam: { userId: ${SAM}, roles: [${MEMBER}] }`,
    people: [sam(org('ORG_MEMBER'))],
  })
  const [{ reason, reasonCode, declaredAt }] = (await planOf(here)).changes
  const { code, document } = await here.json('validate')
  expect([code, document.warnings]).toMatchObject([0, [{ reasonCode, severity: 'warning' }]])
  const { stderr } = await here.run('validate')
  expect(stderr).toContain(
    `${declaredAt}  warning: users.sam: ${reason}; a plan blocks it, unless it is recorded already`,
  )
  await here.manifest(manifestOf({ users: `  sam: { userId: ${SAM}, roles: [${MEMBER}] }\n  eve: 3` }))
  const beside = await here.run('validate')
  expect(beside.stderr).toContain('users.eve: 3 stands where a mapping is expected')
  expect(beside.stderr).toContain(`warning: users.sam: ${reason}`)
  await here.manifest(manifestOf({ users: adopted(MEMBER) }))
  expect((await here.json('validate')).document.warnings).toEqual([])
})

test('a user who is taken out keeps the roles, and the plan says how they are taken away', async () => {
  here = await beginApplied({ users: adopted(MEMBER), people: [sam(org('ORG_MEMBER'))] })
  await here.manifest(manifestOf({}))
  const { stdout } = await here.run('plan')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'no longer declared: nothing is sent, and it keeps its roles; to take them away, first declare it again with onRemove: revoke and apply',
  )
  expect(stdout).toContain('\n1 to leave unmanaged\n')
})

describe('drift of a user whose roles were put back', () => {
  it('says that a declared one is invited alone, and what nobody declares, as a plan does', async () => {
    here = await beginApplied({
      users: adopted(`${MEMBER}, ${READER}`),
      people: [sam(org('ORG_MEMBER'), group('GROUP_READ_ONLY'))],
    })
    const beside = group('GROUP_DATA_ACCESS_ADMIN', LEDGER)
    await here.outside('PATCH', `/users/${SAM}`, { roles: [org('ORG_MEMBER'), beside] })
    await here.outside('PATCH', `/users/${SAM}`, { roles: [group('GROUP_MONITORING_ADMIN')] })
    await here.control('POST', 'invitations', { userId: SAM, accept: true })
    await expectApply(here, 0, '--target', 'users.sam')
    const [{ notes }] = (await planOf(here)).changes
    expect(notes.join()).toMatch(
      /invited, not accepted.*GROUP_READ_ONLY payments.*also has.*GROUP_DATA_ACCESS_ADMIN/,
    )
    expect(await driftOf(here, 'users.sam')).toMatchObject({ verdict: 'unverifiable', notes, code: 0 })
    const said =
      /Invited, not accepted when last seen: GROUP_READ_ONLY .*Also has what is not declared: GROUP_DATA_ACCESS_ADMIN/
    for (const format of ['text', 'markdown', 'html', 'junit'])
      expect(
        (await here.run('drift', '--format', format)).stdout.replaceAll(/\\|\s+/g, (found) =>
          found === '\\' ? '' : ' ',
        ),
      ).toMatch(said)
  })
})

test('the organization of a project role may be declared, and is not sent, since a role names one place', async () => {
  const placed = `{ roleName: GROUP_READ_ONLY, projectId: ${PROJECT}, orgId: ${ORG} }`
  here = await beginApplied({ users: adopted(`${MEMBER}, ${placed}`), people: [sam(org('ORG_MEMBER'))] })
  expect(await userAt(here)).toMatchObject({ invitations: ['GROUP_READ_ONLY'] })
  expect(await plannedActions(here)).toEqual(['unchanged users.sam'])
})

describe('the adoption of a user', () => {
  it.each([
    { 'open.userRoles': 'scoped', 'open.teamIds': 'objects' },
    { 'open.userRoles': 'replace', 'service.user.bypassInviteForExistingUsers': 'true' },
    { 'open.userRoles': 'merge', 'open.extraFields': 'present' },
  ])('sends all roles once, invites to new ones and compares no others: %o', async (settings) => {
    const people = [sam(org('ORG_MEMBER'), group('GROUP_DATA_ACCESS_ADMIN', LEDGER))]
    here = await begin({ users: adopted(`${MEMBER}, ${READER}`), people, settings })
    expect((await planOf(here)).changes).toMatchObject([{ action: 'adopt', fields: [{ path: 'roles' }] }])
    const applied = await expectApply(here, 0)
    expect(
      applied.stderr
        .replaceAll(/\s+/g, ' ')
        .includes('also has what is not declared: GROUP_DATA_ACCESS_ADMIN'),
    ).toBe(settings['open.userRoles'] !== 'replace')
    expect(await writesIn(here)).toEqual([`PATCH /users/${SAM}`])
    const { code, changes } = await planOf(here)
    expect(code).toBe(0)
    const notes = (changes[0].notes ?? []).join('\n')
    expect(notes.includes('invited')).toBe(settings['open.userRoles'] !== 'replace')
    expect(notes.includes('also has what is not declared: GROUP_DATA_ACCESS_ADMIN')).toBe(
      settings['open.userRoles'] !== 'replace',
    )
    await here.control('POST', 'invitations', { userId: SAM, accept: true })
    await expectApply(here, 0)
    expect(await writesIn(here)).toHaveLength(1)
    expect((await userAt(here)).roles).toContain('GROUP_READ_ONLY')
  })

  it('that is not permitted to the key is told with the role that it needs', async () => {
    here = await begin({ users: adopted(MEMBER), people: [sam(org('ORG_OWNER'))] })
    await here.control('POST', 'faults', {
      method: 'PATCH',
      path: '^/users',
      fault: 'status',
      status: 403,
      count: 5,
    })
    const { stdout } = await expectApply(here, 1)
    expect(stdout).toContain('DM-FORBIDDEN')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'The key needs an owner role: ORG_OWNER in the organization',
    )
  })

  it('of nobody is blocked, and of somebody else than is declared too', async () => {
    here = await begin({ users: adopted(MEMBER) })
    const { stdout } = await expectApply(here, 2)
    expect(stdout).toContain('not found at the service')
    expect((await here.state()).resources).toEqual({})
    here = await begin({
      users: adopted(MEMBER, 'username: pat@example.com'),
      people: [sam(org('ORG_MEMBER'))],
    })
    const other = await expectApply(here, 2)
    expect(other.stdout).toContain('username')
    expect((await planOf(here)).changes).toMatchObject([
      { action: 'blocked', fields: [{ path: 'username' }] },
    ])
  })
})

const SENT_BY_NOBODY = 'it is a credential of this command, or holds one, and these are never sent'

describe('the creation of a user', () => {
  it.each([
    { 'open.createUserAnswer': 'empty', 'open.events': 'some' },
    { 'open.createUserAnswer': 'full', 'open.bypassInviteOnCreation': 'true', 'open.eventNames': 'foreign' },
  ])('leaves invited roles, which are no difference and not sent again: %o', async (settings) => {
    here = await begin({ users: dana(`${MEMBER}, ${READER}, ${LEDGER_READER}`), settings })
    const { changes } = await planOf(here)
    expect(changes).toMatchObject([
      {
        action: 'create',
        requests: [{ method: 'POST', path: '/users' }],
        notes: ['password from the environment variable DANA_INITIAL_PASSWORD'],
      },
    ])
    expect(JSON.stringify(changes)).not.toContain(PASSWORD)
    expect(changes[0].after).not.toHaveProperty('password')
    await expectApply(here, 0)
    const { id } = await userAt(here, 'dana@example.com')
    expect((await here.state()).resources['users.dana'].identity).toEqual({ userId: id })
    const second = await planOf(here)
    expect(second).toMatchObject({
      code: 0,
      changes: [{ action: 'unchanged', evidence: { level: 'recorded' } }],
    })
    expect(second.changes[0].notes[0]).toContain('invited')
    await here.control('POST', 'invitations', { userId: id, accept: true })
    await here.manifest(manifestOf({ users: dana(`${MEMBER}, ${READER}, ${LEDGER_READER}, ${CREATOR}`) }))
    expect(await plannedActions(here)).toEqual(['update users.dana'])
    await expectApply(here, 0)
    expect(await planOf(here)).toMatchObject({ code: 0 })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    expect(await writesIn(here)).toEqual(['POST /users', `PATCH /users/${id}`])
  })

  it('of one who exists says to adopt, and tells the password to nobody', async () => {
    const people = [{ ...sam(org('ORG_MEMBER')), username: 'dana@example.com' }]
    here = await begin({ users: dana(MEMBER), people })
    const { stdout, stderr } = await expectApply(here, 1)
    expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toContain(
      'DM-ALREADY-EXISTS: users.dana: dana@example.com already exists at the service',
    )
    expect(stdout + stderr).toContain('declare its userId and rolesComplete: true')
    expect((await here.state()).resources).toEqual({})
    const more = await Promise.all([here.run('plan', '--out', 'saved.plan'), here.run('state', 'list')])
    expect(
      [stdout, stderr, await everyFile(here), ...more.map((ran) => ran.stdout)].join('\n'),
    ).not.toContain(PASSWORD)
  })

  it('of one who is recorded under another address names that address', async () => {
    const people = [{ ...sam(org('ORG_MEMBER')), username: 'dana@example.com' }]
    here = await begin({ users: adopted(MEMBER), people })
    await expectApply(here, 0)
    await here.manifest(manifestOf({ users: `${adopted(MEMBER)}\n${dana(MEMBER)}` }))
    const { stdout, stderr } = await expectApply(here, 1)
    expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toContain(
      'dana@example.com already exists at the service, and is recorded as users.sam',
    )
    expect(Object.keys((await here.state()).resources)).toEqual(['users.sam'])
  })

  it('names every password that is missing, with its place, in a plan and before anything is sent', async () => {
    const one = dana(MEMBER, '', '{ env: DANA_PW }')
    here = await begin({ users: one })
    const { code, document } = await planOf(here)
    expect({ code, warnings: document.warnings }).toEqual({
      code: 2,
      warnings: [
        expect.stringMatching(
          /^deploymgmt\.yaml:\d+:35: users\.dana\.password: the environment variable DANA_PW is not set; apply needs it/,
        ),
      ],
    })
    expect((await expectApply(here, 1)).stderr).toMatch(
      /Error DM-SECRET: users\.dana\.password: the environment variable DANA_PW is not set\n {2}deploymgmt\.yaml:\d+:35\n.*Nothing was sent\.\n/,
    )
    await here.manifest(
      manifestOf({ users: `${one}\n${dana(MEMBER, '', '{ file: kim }').replaceAll('dana', 'kim')}` }),
    )
    const { stderr } = await expectApply(here, 1)
    expect(stderr).toContain('2 secrets cannot be read')
    expect(stderr).toMatch(/^ {2}deploymgmt\.yaml:\d+:35 {2}users\.dana\.password: the environment variable/m)
    expect(stderr).toMatch(
      /^ {2}deploymgmt\.yaml:\d+:35 {2}users\.kim\.password: its file \S+kim cannot be read$/m,
    )
    expect(await writesIn(here)).toEqual([])
  })

  it('reads its password from a file beside the manifest, and fails alone where there is none', async () => {
    here = await begin({ users: dana(MEMBER, '', '{ file: secrets/dana }') })
    const pat = adopted(MEMBER).replace('sam:', 'pat:')
    await here.manifest(manifestOf({ users: `${dana(MEMBER, '', '{ file: dana.secret }')}\n${pat}` }))
    const missing = await expectApply(here, 1)
    expect(missing.stdout + missing.stderr).toMatch(/DM-SECRET.*users\.dana\.password/s)
    expect((await writesIn(here)).filter((write) => write.startsWith('POST'))).toEqual([])
    await writeFile(join(here.folder, 'dana.secret'), `${PASSWORD}\n`)
    await here.manifest(manifestOf({ users: dana(MEMBER, '', '{ file: dana.secret }') }))
    expect((await planOf(here)).changes[0].notes).toStrictEqual(['password from the file dana.secret'])
    const { stdout, stderr } = await expectApply(here, 0, '--format', 'json')
    expect(stdout + stderr).not.toContain(PASSWORD)
    const { users } = await here.control('GET', 'dump')
    expect(users[0].password).toBe(PASSWORD)
    await here.manifest(manifestOf({ users: dana(MEMBER, '', '{ env: NOT_SET }') }))
    expect(await planOf(here)).toMatchObject({ code: 0 })
  })

  it.each([
    ['{ env: DEPLOYMGMT_PRIVATE_KEY }', {}],
    ['{ env: DEPLOYMGMT_STATE_PASSWORD }', { DEPLOYMGMT_STATE_PASSWORD: 'state-canary-0001' }],
    ['{ env: DEPLOYMGMT_STATE_USERNAME }', { DEPLOYMGMT_STATE_USERNAME: 'token-canary-0001' }],
    ['{ file: key }', {}],
  ])('does not take for its password what the command itself logs in with: %s', async (password, env) => {
    const scene = await begin({ users: dana(MEMBER, '', password) })
    here = scene
    Object.assign(scene.env, env)
    await writeFile(join(here.folder, 'key'), `PRIVATE=${CI.privateKey} \n\n`)
    expect((await here.run('plan')).stdout.replaceAll(/\s+/g, ' ')).toContain(SENT_BY_NOBODY)
    const { stderr } = await expectApply(here, 1)
    expect(stderr).toContain(`users.dana.password: ${SENT_BY_NOBODY}`)
    expect(await writesIn(here)).toEqual([])
  })

  it('says in a plan where its password is from the folder of the manifest, as any other checkout does', async () => {
    here = await begin({})
    for (const folder of ['site', 'secrets']) await mkdir(join(here.folder, folder))
    await writeFile(join(here.folder, 'secrets', 'dana'), PASSWORD)
    const manifest = manifestOf({ users: dana(MEMBER, '', '{ file: ../secrets/dana }') })
    await writeFile(join(here.folder, 'site', 'deploymgmt.yaml'), manifest)
    await rename(join(here.folder, 'deploymgmt.state.json'), join(here.folder, 'site/deploymgmt.state.json'))
    const planned = await here.json('plan', '-f', 'site/deploymgmt.yaml', '--out', 'saved.plan')
    expect(planned.document.changes[0].notes).toStrictEqual(['password from the file ../secrets/dana'])
    const other = await mkdtemp(join(tmpdir(), 'another-checkout-'))
    onTestFinished(() => rm(other, { recursive: true }))
    await cp(here.folder, other, { recursive: true })
    const there = { ...here, folder: other }
    expect(await runHere(there, ['apply', 'saved.plan', '--auto-approve'])).toMatchObject({ code: 0 })
    expect((await here.control('GET', 'dump')).users[0].password).toBe(PASSWORD)
  })

  it('reads its password from a file without the mark that editors put before a text', async () => {
    here = await begin({ users: dana(MEMBER, '', '{ file: dana.secret }') })
    await writeFile(join(here.folder, 'dana.secret'), `\uFEFF${PASSWORD}\r\n`)
    await expectApply(here, 0)
    expect((await here.control('GET', 'dump')).users[0].password).toBe(PASSWORD)
  })

  it.each([
    ['in another encoding', Buffer.from('p\xE9ss', 'latin1')],
    ['with a NUL in it', Buffer.from('pa\0ss')],
  ])('is not created with a password %s, which would be sent as another', async (_, bytes) => {
    here = await begin({ users: dana(MEMBER, '', '{ file: dana.secret }') })
    await writeFile(join(here.folder, 'dana.secret'), bytes)
    const { stderr } = await expectApply(here, 1)
    expect(stderr).toMatch(/DM-SECRET: users\.dana\.password: its file \S+ is not UTF-8 text/)
    here.env['DANA_PW'] = bytes.toString('utf8').replace('\0', '\uFFFD')
    await here.manifest(manifestOf({ users: dana(MEMBER, '', '{ env: DANA_PW }') }))
    expect((await expectApply(here, 1)).stderr).toMatch(/variable DANA_PW is not UTF-8 text/)
    expect(await writesIn(here)).toEqual([])
  })
})

describe('a role that is taken away before the person has accepted it', () => {
  const [before, after] = [dana(`${MEMBER}, ${READER}, ${LEDGER_READER}`), dana(`${MEMBER}, ${READER}`)]
  const warned = new RegExp(
    `its invitation may still stand, which no answer shows: GROUP_READ_ONLY ${LEDGER}`,
  )

  it('is said to be perhaps still offered, by the plan and by the apply', async () => {
    here = await beginApplied({ users: before })
    await here.manifest(manifestOf({ users: after }))
    expect((await planOf(here)).changes[0].notes).toContainEqual(expect.stringMatching(warned))
    const { stdout, stderr } = await expectApply(here, 0)
    expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toMatch(warned)
  })

  it('is said to be that, too, where all roles of the person are revoked', async () => {
    const all = new RegExp(`may still stand, which no answer shows: ORG_MEMBER ${ORG}; GROUP_READ_ONLY`)
    here = await beginApplied({ users: dana(`${MEMBER}, ${READER}`, 'onRemove: revoke') })
    await here.manifest(manifestOf({}))
    const [change] = (await planOf(here)).changes
    expect(change).toMatchObject({
      action: 'release',
      notes: [expect.anything(), expect.stringMatching(all), expect.stringMatching(/its userId is/)],
    })
    const { stdout, stderr } = await expectApply(here, 0)
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(all)
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`revoked users.dana .*${all.source}`))
  })

  it('is not said to be that once an answer has shown it', async () => {
    here = await beginApplied({ users: before })
    const { id } = await userAt(here, 'dana@example.com')
    await here.control('POST', 'invitations', { userId: id, accept: true })
    await here.manifest(manifestOf({ users: dana(`${MEMBER}, ${READER}, ${LEDGER_READER}, ${CREATOR}`) }))
    await expectApply(here, 0)
    await here.manifest(manifestOf({ users: after }))
    expect(JSON.stringify((await planOf(here)).changes)).not.toMatch(warned)
  })
})

describe('a removed role that is still in the answer', () => {
  const people = [sam(org('ORG_MEMBER'), org('ORG_GROUP_CREATOR'))]
  const settings = { 'open.userRoles': 'merge' }

  it('is blocked, too, where the answer also names the organization of its project', async () => {
    const held = [sam(org('ORG_MEMBER'), group('GROUP_READ_ONLY'))]
    const users = adopted(`${MEMBER}, ${READER}`)
    const proxied = await begin({ users, people: held, settings, proxied: true })
    here = proxied
    proxied.proxy.steer(placedFully)
    const first = await expectApply(here, 0)
    expect(first.stdout + first.stderr).not.toMatch(/invited|not declared/)
    await here.manifest(manifestOf({ users: adopted(MEMBER) }))
    const { stdout } = await expectApply(here, 2)
    expect(stdout).toContain('still in the answer after its removal')
    expect((await planOf(here)).changes).toMatchObject([{ action: 'blocked', requests: [] }])
  })

  it('is blocked until it is accepted', async () => {
    here = await beginApplied({ users: adopted(`${MEMBER}, ${CREATOR}`), people, settings })
    await here.manifest(manifestOf({ users: adopted(MEMBER) }))
    const { stdout } = await expectApply(here, 2)
    expect(stdout).toContain('still in the answer after its removal')
    const { code, changes } = await planOf(here)
    expect(code).toBe(2)
    expect(changes).toMatchObject([
      {
        action: 'blocked',
        requests: [],
        fields: [
          {
            path: 'roles',
            before: [{ roleName: 'ORG_MEMBER' }, { roleName: 'ORG_GROUP_CREATOR' }],
            after: [{ roleName: 'ORG_MEMBER' }],
          },
        ],
        byHand: expect.stringContaining('then deploymgmt state accept users.sam;'),
      },
    ])
    expect(await driftOf(here, 'users.sam')).toMatchObject({ code: 2, verdict: 'drifted' })
    await here.forgetRequests()
    await expectApply(here, 2)
    expect(await writesIn(here)).toEqual([])
    expect(await here.run('state', 'accept', 'users.sam')).toMatchObject({ code: 0 })
    expect(await planOf(here)).toMatchObject({ code: 0 })
    const drift = await here.run('drift')
    expect(drift).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Also\s+has what is not declared: ORG_GROUP_CREATOR/),
    })
  })

  it('is blocked until it is declared again', async () => {
    here = await beginApplied({ users: adopted(`${MEMBER}, ${CREATOR}`), people, settings })
    await here.manifest(manifestOf({ users: adopted(MEMBER) }))
    await expectApply(here, 2)
    await here.manifest(manifestOf({ users: adopted(`${MEMBER}, ${CREATOR}`) }))
    await expectApply(here, 0)
    expect(await planOf(here)).toMatchObject({ code: 0 })
  })

  it('is no difference where changes of the roles are ignored', async () => {
    here = await beginApplied({ users: adopted(`${MEMBER}, ${CREATOR}`), people, settings })
    await here.manifest(manifestOf({ users: adopted(MEMBER) }))
    await expectApply(here, 2)
    await here.manifest(manifestOf({ users: adopted(MEMBER, 'ignoreChanges: [roles]') }))
    expect(await planOf(here)).toMatchObject({ code: 0, changes: [{ action: 'unchanged' }] })
    expect(await driftOf(here, 'users.sam')).toMatchObject({ code: 0, verdict: 'unverifiable' })
    await expectApply(here, 0)
    await here.manifest(manifestOf({ users: adopted(MEMBER) }))
    expect(await planOf(here)).toMatchObject({ code: 2, changes: [{ action: 'blocked' }] })
  })

  it('is gone where the service replaces, within the organization or everywhere', async () => {
    here = await beginApplied({ users: adopted(`${MEMBER}, ${CREATOR}`), people })
    await here.manifest(manifestOf({ users: adopted(MEMBER) }))
    await expectApply(here, 0)
    expect((await userAt(here)).roles).toEqual(['ORG_MEMBER'])
    await here.manifest(manifestOf({ users: adopted(CREATOR, 'protect: true') }))
    expect((await planOf(here)).changes).toMatchObject([
      { action: 'blocked', reason: expect.stringContaining('protect') },
      { action: 'update', fields: [{ path: 'protect' }], requests: [] },
    ])
    await here.manifest(manifestOf({ users: adopted(CREATOR, 'ignoreChanges: [roles]') }))
    expect(await planOf(here)).toMatchObject({ code: 0 })
  })
})

test('a recorded id that turns out to be somebody else is blocked once an answer shows the name', async () => {
  here = await beginApplied({ users: dana(MEMBER), people: [sam(org('ORG_READ_ONLY'))] })
  const text = JSON.stringify(await here.state())
  const { id } = await userAt(here, 'dana@example.com')
  await writeFile(join(here.folder, 'deploymgmt.state.json'), text.replaceAll(id, SAM))
  await here.manifest(manifestOf({ users: dana(`${MEMBER}, ${READER}`) }))
  const { stdout } = await expectApply(here, 2)
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'username differs, and this API has no call to change it: the service has sam@example.com',
  )
  expect((await planOf(here)).changes).toMatchObject([
    {
      action: 'blocked',
      fields: [{ path: 'username', before: 'sam@example.com', after: 'dana@example.com' }],
    },
  ])
  // Nothing more is written to somebody else.
  await here.manifest(manifestOf({ users: dana(`${MEMBER}, ${READER}, ${LEDGER_READER}`) }))
  await here.forgetRequests()
  const withheld = 'roles would change too, and is not written: the id may be that of somebody else'
  expect((await planOf(here)).changes).toMatchObject([{ action: 'blocked', notes: [withheld] }])
  await expectApply(here, 2)
  expect(await writesIn(here)).toEqual([])
})

test('a username that is edited in its spelling alone is blocked, and holds up nothing else', async () => {
  here = await beginApplied({
    users: adopted(MEMBER, 'username: sam@example.com'),
    people: [sam(org('ORG_MEMBER'))],
  })
  await here.manifest(manifestOf({ users: adopted(`${MEMBER}, ${CREATOR}`, 'username: Sam@example.com') }))
  expect((await planOf(here)).changes).toMatchObject([
    { action: 'blocked', fields: [{ path: 'username' }] },
    { action: 'update', fields: [{ path: 'roles' }] },
  ])
})

test('a name that the service spells with other capitals is the same one', async () => {
  const scene = await begin({
    users: adopted(MEMBER, 'username: sam@example.com'),
    people: [sam(org('ORG_MEMBER'))],
    proxied: true,
  })
  here = scene
  await expectApply(here, 0)
  scene.proxy.steer(async (_, forward) => {
    const passed = await forward()
    return { ...passed, body: String(passed.body).replaceAll('sam@example.com', 'Sam@Example.com') }
  })
  await here.manifest(manifestOf({ users: adopted(`${MEMBER}, ${READER}`, 'username: sam@example.com') }))
  await expectApply(here, 0)
  expect(await planOf(here)).toMatchObject({ code: 0 })
})

test('a field that only the creation takes is blocked when it is edited, also beside a change of roles, until it is accepted', async () => {
  here = await beginApplied({ users: dana(MEMBER) })
  await here.manifest(
    manifestOf({ users: dana(`${MEMBER}, ${READER}`).replace('firstName: Dana', 'firstName: Dan') }),
  )
  expect(await plannedActions(here)).toEqual(['blocked users.dana', 'update users.dana'])
  await expectApply(here, 2)
  const { changes } = await planOf(here)
  expect(changes).toMatchObject([
    { action: 'blocked', fields: [{ path: 'firstName', before: 'Dana', after: 'Dan' }] },
  ])
  expect(changes[0].reason).toContain('no call to change it')
  await expectApply(here, 2)
  expect(await here.run('state', 'accept', 'users.dana')).toMatchObject({ code: 0 })
  expect(await planOf(here)).toMatchObject({ code: 0 })
})

describe('a user who is no longer declared', () => {
  const users = adopted(MEMBER, 'onRemove: revoke')

  /** At a service that ignores an empty list of roles. */
  const takeOut = async (): Promise<void> => {
    here = await beginApplied({
      users,
      people: [sam(org('ORG_MEMBER'))],
      settings: { 'open.emptyRoles': 'nothing' },
    })
    await here.manifest(manifestOf({}))
  }

  it('has an id that plan and apply say to note down, as a later adoption needs it', async () => {
    here = await beginApplied({ users: dana(MEMBER, 'onRemove: revoke') })
    const { id } = await userAt(here, 'dana@example.com')
    const note = `its userId is ${id}; note it down, because nothing can find it again`
    await here.manifest(manifestOf({}))
    expect((await planOf(here)).changes[0].notes).toContain(note)
    const { stdout, stderr } = await expectApply(here, 0)
    for (const said of [stdout, stderr]) expect(said.replaceAll(/\s+/g, ' ')).toContain(note)
    await here.manifest(manifestOf({ users: dana(MEMBER) }))
    const again = await expectApply(here, 1)
    expect((again.stdout + again.stderr).replaceAll(/\s+/g, ' ')).toContain(
      'The plan and the apply that released the user have named the id',
    )
    await here.manifest(manifestOf({ users: dana(MEMBER, `userId: ${id}, rolesComplete: true`) }))
    await expectApply(here, 0)
  })

  it('keeps its record, blocked, where roles remain', async () => {
    await takeOut()
    await expectApply(here, 2)
    expect(Object.keys((await here.state()).resources)).toEqual(['users.sam'])
    await here.forgetRequests()
    expect(await plannedActions(here)).toEqual(['blocked users.sam'])
    await expectApply(here, 2)
    expect(await writesIn(here)).toEqual([])
    expect(await here.run('drift')).toMatchObject({ code: 2 })
    expect(await here.run('state', 'forget', 'users.sam')).toMatchObject({ code: 0 })
    expect(await planOf(here)).toMatchObject({ code: 0 })
  })

  it('is blocked and recorded again after a second answer, if the first one was lost', async () => {
    await takeOut()
    await here.control('POST', 'faults', { method: 'PATCH', fault: 'reset-after', count: 1 })
    await expectApply(here, 3)
    await expectApply(here, 2)
    const [change] = (await planOf(here)).changes
    expect(change).toMatchObject({ action: 'blocked', evidence: { level: 'recorded' } })
  })
})

describe('another name or another id', () => {
  it('moves a user that was created, and then declared by its id', async () => {
    here = await beginApplied({ users: dana(MEMBER) })
    const { id } = await userAt(here, 'dana@example.com')
    await here.manifest(manifestOf({ users: dana(MEMBER).replace('dana:', 'reyes:') }))
    expect(await plannedActions(here)).toEqual(['moved users.reyes'])
    await expectApply(here, 0)
    const byId = adopted(MEMBER)
      .replace('sam:', 'dana:')
      .replace(SAM, id)
      .replace('rolesComplete: true, ', '')
    await here.manifest(manifestOf({ users: byId }))
    expect(await plannedActions(here)).toEqual(['moved users.dana'])
    await expectApply(here, 0)
    await here.manifest(manifestOf({ users: dana(MEMBER).replace('dana:', 'again:') }))
    expect(await plannedActions(here)).toEqual(['moved users.again'])
    await expectApply(here, 0)
    expect(await writesIn(here)).toEqual(['POST /users'])
  })

  it('replaces a user: the new one is adopted first, and the old one is released then', async () => {
    const people = [
      sam(org('ORG_MEMBER')),
      { id: PAT, username: 'pat@example.com', roles: [org('ORG_MEMBER')] },
    ]
    here = await beginApplied({ users: adopted(MEMBER, 'onRemove: revoke'), people })
    const other = adopted(MEMBER, 'onRemove: revoke').replace(SAM, PAT)
    await here.manifest(manifestOf({ users: other.replace('rolesComplete: true, ', '') }))
    expect(await plannedActions(here)).toEqual(['blocked users.sam', `blocked users.sam[replaced ${SAM}]`])
    await here.forgetRequests()
    expect((await applyTo(here)).code).toBe(2)
    expect(await writesIn(here)).toEqual([])
    await here.manifest(manifestOf({ users: other }))
    await expectApply(here, 0)
    expect(await writesIn(here)).toEqual([`PATCH /users/${PAT}`, `PATCH /users/${SAM}`])
    expect(await userAt(here)).toMatchObject({ roles: [] })
    expect(Object.keys((await here.state()).resources)).toEqual(['users.sam'])
    expect(await planOf(here)).toMatchObject({ code: 0 })
  })
})
