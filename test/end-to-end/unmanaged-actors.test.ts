import { expect, it } from 'vitest'
import { fixtureWith, manifestWith, ONCALL, ORG, PROJECT, type Key } from '../support/installation.ts'
import { ONCALL_ID } from '../support/people.ts'
import { windowsAt } from '../support/one-window.ts'
import { beginApplied, only, type Scene } from '../support/scene.ts'

const STRANGE: Key = { publicKey: 'strange', privateKey: '2b3c4d5e-canary-0009' }
const KIM = '5d2e1f0a9b8c7d6e5f4a3b2d'

/** Two strangers, an undeclared key among them, and an undeclared user. */
const withStrangers = (): object => {
  const owner = [{ roleName: 'ORG_OWNER', orgId: ORG }]
  const fixture = fixtureWith() as { organizations: { apiKeys: object[] }[] }
  const [organization] = fixture.organizations
  const strange = { id: '5c47503320eef5699e1cce90', desc: 'Stranger', ...STRANGE, roles: owner }
  return {
    ...fixture,
    organizations: [{ ...organization, apiKeys: [...(organization?.apiKeys ?? []), strange] }],
    users: [
      {
        id: KIM,
        username: 'kim@example.com',
        emailAddress: 'kim@example.com',
        firstName: 'Kim',
        lastName: 'Oh',
        password: 'Correct-Horse-8-canary',
        roles: [{ roleName: 'ORG_READ_ONLY', orgId: ORG }],
      },
    ],
  }
}

const WINDOW = {
  alertTypeNames: ['HOST'],
  startDate: '2025-01-01T00:00:00Z',
  endDate: '2036-01-01T00:00:00Z',
  description: 'x',
}

const silence = async (here: Scene, maker: Key, changer: Key, change: object): Promise<void> => {
  const path = `/groups/${PROJECT}/maintenanceWindows`
  const { id } = await here.outside('POST', `${path}/`, WINDOW, maker)
  await here.outside('PATCH', `${path}/${id}`, change, changer)
}

const begun = (): Promise<Scene> => beginApplied(manifestWith(), { fixture: withStrangers() })

const unmanagedIn = async (here: Scene, section: string): Promise<any> =>
  (await here.json('drift')).document.unmanaged.find((each: any) => each.section === section)

const FORMATS = ['text', 'markdown', 'html', 'junit', 'sarif', 'brief']

/** The report without markup and line breaks. */
const shown = async (here: Scene, format: string, ...words: string[]): Promise<string> => {
  const { stdout } = await here.run('drift', '--format', format, ...words)
  const [page = ''] =
    format === 'html' ? stdout.replaceAll(/<(?:style|script)[\s\S]*?<\/\w+>/g, '').split('\0') : [stdout]
  return page
    .replaceAll(format === 'html' ? /<[^>]*>/g : /[\\`]|&quot;|&#34;/g, (found) =>
      found.startsWith('&') ? '"' : '',
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' ,', ',')
}

it.each([
  ['one makes and another describes', STRANGE, ONCALL, { description: 'y' }],
  ['one makes and another prolongs', ONCALL, STRANGE, { endDate: '2037-01-01T00:00:00Z' }],
] as const)('of a window that %s, each is named with what they did', async (_, maker, changer, change) => {
  const here = await begun()
  await silence(here, maker, changer, change)
  const found = await unmanagedIn(here, 'maintenanceWindows')
  expect(found).toMatchObject({
    isMaker: true,
    actor: {
      publicKey: maker.publicKey,
      confidence: 'high',
      eventTypeName: 'MAINTENANCE_WINDOW_ADDED_AUDIT',
    },
    changedBy: [{ publicKey: changer.publicKey, eventTypeName: 'MAINTENANCE_WINDOW_CHANGED_AUDIT' }],
  })
  const said = new RegExp(`made by key "${maker.publicKey}".*changed since by key "${changer.publicKey}"`)
  for (const format of FORMATS)
    expect({ format, said: await shown(here, format) }).toEqual({ format, said: expect.stringMatching(said) })
})

it('of a window whose making no event tells, those who changed it are named as such', async () => {
  const here = await begun()
  await here.control('POST', 'faults', {
    method: 'POST',
    path: 'maintenanceWindows',
    fault: 'lose-events',
    count: 1,
  })
  await silence(here, STRANGE, ONCALL, { endDate: '2037-01-01T00:00:00Z' })
  const { isMaker, actor, changedBy } = await unmanagedIn(here, 'maintenanceWindows')
  expect({ isMaker, actor, changedBy }).toMatchObject({ actor: { publicKey: 'oncall' } })
  expect(isMaker).toBeUndefined()
  expect(changedBy).toBeUndefined()
  expect(await shown(here, 'text')).toContain('changed by key "oncall"')
})

it('all roles that events tell of an undeclared user are said, the greatest first, with who gave them', async () => {
  const here = await begun()
  const owner = [{ roleName: 'ORG_OWNER', orgId: ORG }]
  await here.outside('PATCH', `/users/${KIM}`, { roles: owner }, STRANGE)
  await here.control('POST', 'invitations', { userId: KIM, accept: true })
  const both = [...owner, { roleName: 'GROUP_READ_ONLY', groupId: PROJECT }]
  await here.outside('PATCH', `/users/${KIM}`, { roles: both }, ONCALL)
  const found = await unmanagedIn(here, 'users')
  expect(found).toMatchObject({
    what: expect.stringMatching(/ORG_OWNER.*GROUP_READ_ONLY/),
    actor: { publicKey: 'strange' },
    changedBy: [{ publicKey: 'oncall' }],
  })
  for (const format of FORMATS)
    expect(await shown(here, format)).toMatch(/ORG_OWNER.*GROUP_READ_ONLY.*key "strange".*key "oncall"/)
})

it('a role that was taken away since is not said', async () => {
  const here = await begun()
  const owner = [{ roleName: 'ORG_OWNER', orgId: ORG }]
  const member = [{ roleName: 'ORG_MEMBER', orgId: ORG }]
  await here.outside('PATCH', `/users/${KIM}`, { roles: owner }, STRANGE)
  await here.control('POST', 'invitations', { userId: KIM, accept: true })
  await here.outside('PATCH', `/users/${KIM}`, { roles: member }, ONCALL)
  expect((await unmanagedIn(here, 'users')).what).toBe('is invited as ORG_MEMBER')
})

it('an undeclared key is named with all who changed it', async () => {
  const here = await begun()
  const path = `/orgs/${ORG}/apiKeys/${ONCALL_ID}`
  await here.outside('PATCH', path, { roles: ['ORG_OWNER', 'ORG_MEMBER'] }, STRANGE)
  await here.outside('PATCH', path, { desc: 'On call, at night' }, ONCALL)
  expect(await unmanagedIn(here, 'apiKeys')).toMatchObject({
    what: `has ORG_OWNER of ${ORG}, ORG_MEMBER`,
    actor: { publicKey: 'strange', eventTypeName: 'API_KEY_ROLES_CHANGED' },
    changedBy: [{ publicKey: 'oncall', eventTypeName: 'API_KEY_DESCRIPTION_CHANGED' }],
  })
})

it('what nobody declares can be declared by its id, ended, or named as known, as drift says', async () => {
  const here = await begun()
  await silence(here, STRANGE, ONCALL, { description: 'y' })
  await here.outside('PATCH', `/users/${KIM}`, { roles: [{ roleName: 'ORG_OWNER', orgId: ORG }] }, STRANGE)
  const { identity, declare, leave, isInForce, endsAt, what } = await unmanagedIn(here, 'maintenanceWindows')
  expect(isInForce).toBe(true)
  expect(what).toContain(`until ${endsAt}`)
  expect((await unmanagedIn(here, 'users')).declare.text).toMatch(/^deploymgmt adopt /)
  const pasted = /^add (.*) to maintenanceWindows; to end it, apply, take it out and apply again$/.exec(
    declare.text,
  )?.[1]
  const known = /^add (.*) to unmanaged.ignore$/.exec(leave.text)?.[1]
  const whole = manifestWith()
  await here.manifest(`${whole}unmanaged: { ignore: [${known}] }\n`)
  expect((await unmanagedIn(here, 'maintenanceWindows')).ignored).toMatchObject({ reason: 'WHY' })
  await here.manifest(whole.replace('maintenanceWindows:\n', `maintenanceWindows:\n  ${pasted}\n`))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(await unmanagedIn(here, 'maintenanceWindows')).toBeUndefined()
  await here.manifest(whole)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const windows = await windowsAt(here)
  const left = windows.find(({ id }: any) => id === identity.id)
  expect(left.alertTypeNames).toEqual(WINDOW.alertTypeNames)
  expect(Date.parse(left.endDate)).toBeLessThan(Date.now() + 60_000)
})

it('text says what can be done once for all but silences, which come first', async () => {
  const here = await beginApplied(
    only('alertConfigurations', '  noisy: { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: false }'),
    { fixture: withStrangers() },
  )
  await silence(here, STRANGE, ONCALL, { description: 'y' })
  const text = await shown(here, 'text')
  expect(text).toMatch(
    /no drift.*unmanaged maintenanceWindows .*in force now: .*declare: add .*leave: add .*unmanaged alertConfigurations/,
  )
  expect(text.split('deploymgmt adopt writes the entries')).toHaveLength(2)
  for (const format of ['junit', 'sarif'])
    expect(await shown(here, format, '--unmanaged', 'fail')).toContain('declare: add maintenance-window-')
  // Where it can be copied, the entry is shown by itself.
  for (const format of ['markdown', 'html'])
    expect(await shown(here, format, '--unmanaged', 'fail')).toMatch(
      /declare(?: it)?:? add this to maintenanceWindows; to end it, .*maintenance-window-\w+: \{ projectId: payments/i,
    )
  expect(await shown(here, 'brief')).toContain('Who, when, and what can be done: deploymgmt drift')
})
