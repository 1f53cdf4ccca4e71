/** Replacements: Terraform does not pass the private state of a tainted object to its destroy. */
import { describe, expect, it } from 'vitest'
import { failing, fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import { PAT, SAM } from '../support/people.ts'
import {
  apiKey,
  HOST_DOWN,
  hostDown,
  integration,
  migration,
  NOISY,
  noisy,
  resource,
  text,
  user,
} from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, windowsIn, type Workspace } from './support/workspace.ts'

const alertIn = async (here: Workspace, id: string): Promise<any> =>
  (await here.control('GET', 'dump')).projects[0].alertConfigs.find((each: any) => each.id === id)
const ON_CALL_KEY = '5c47503320eef5699e1cce8e'
const OTHER_PROJECT = '5c8100bcf2a30b12ff882590'
const withAnotherProject = {
  ...fixtureWith(),
  projects: [PROJECT, OTHER_PROJECT].map((id) => ({ id, orgId: ORG, name: id })),
}
const withSam = () => ({
  ...fixtureWith(),
  users: [{ id: SAM, username: 'sam@example.com', roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }] }],
})
const sam = (more: Record<string, string> = {}) =>
  resource('user', 'sam', {
    user_id: text(SAM),
    roles_complete: 'true',
    roles: '[{ role_name = "ORG_READ_ONLY", org_id = "ORG_ID" }]',
    on_remove: '"revoke"',
    ...more,
  })

describe.skipIf(noTerraform)('a tainted object that is replaced', () => {
  it('is ended by what its attributes tell, where it is a window', async () => {
    const here = await applied(migration())
    const [{ id }] = await windowsIn(here)
    await here.newWrites()
    await here.expect(0, 'taint', 'deploymgmt_maintenance_window.migration')
    await here.apply()
    expect(await here.newWrites()).toEqual([
      `PATCH /groups/${PROJECT}/maintenanceWindows/${id}`,
      `POST /groups/${PROJECT}/maintenanceWindows/`,
    ])
    await here.expectNoChanges()
  })

  it('is not restored from nothing: the destroy is refused, and untaint brings the memory back', async () => {
    const here = await applied(noisy({ on_remove: '"restore"' }))
    await here.expect(0, 'taint', 'deploymgmt_alert_configuration.noisy')
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(/Alert configuration \S+: on_remove = "restore" cannot be done/)
    expect(said).toMatch(/terraform untaint .* untaint it, set on_remove to "forget", and apply that/)
    expect(await here.newWrites()).toEqual([])
    await here.expect(0, 'untaint', 'deploymgmt_alert_configuration.noisy')
    await here.expectNoChanges()
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: true })
  })

  it('is restored by a destroy, which is told what it was before', async () => {
    const here = await applied(noisy({ on_remove: '"restore"' }))
    await here.expect(0, 'taint', 'deploymgmt_alert_configuration.noisy')
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: true })
  })

  it.each([
    ['created', user(), 'deploymgmt_user.dana'],
    ['adopted', sam(), 'deploymgmt_user.sam'],
  ])('is not given up where it is a user that was %s, whom nothing makes again', async (_, hcl, address) => {
    const here = await applied(hcl, { fixture: withSam() })
    await here.expect(0, 'taint', address)
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('terraform untaint')
    expect(await here.newWrites()).toEqual([])
    await here.expect(0, 'untaint', address)
    await here.expectNoChanges()
  })

  it('is warned of by the plan where it is a user that was created, also without the password', async () => {
    const here = await applied(user())
    await here.configure(user({ password: 'null' }))
    await here.expect(0, 'taint', 'deploymgmt_user.dana')
    const { said } = await here.plan()
    expect(said).toMatch(/Warning: User dana@example\.com: the state has it already, .* terraform untaint/)
    expect((await here.expect(1, 'apply', 'saved.plan')).said).toContain('terraform untaint')
    expect(await here.newWrites()).toEqual([])
    await here.expect(0, 'destroy', '-auto-approve')
  })
})

const REVOKING = { on_remove: '"revoke"' }
const TRIGGER = 'resource "terraform_data" "trigger" {\n  input = "N"\n}\n'
const triggered = (n: string, more: string): string =>
  TRIGGER.replace('N', n) +
  user(REVOKING, `  lifecycle {\n    replace_triggered_by = [terraform_data.trigger]\n${more}  }\n`)
const people = (name: string): string =>
  user({ ...REVOKING, username: '"dana@example.com"' }, `  for_each = toset(["${name}"])\n`)
const REFUSED = /User .*it cannot be replaced/
/** Takes its id from another resource, which is replaced for another `n`. */
const named = (n: string): string =>
  `resource "terraform_data" "who" {\n  input = "${SAM}"\n  triggers_replace = "${n}"\n}\n` +
  sam({ user_id: 'terraform_data.who.output' })
/** Suggests no moved block, because no other resource takes the user over. */
const REFUSED_ALONE = /^(?!.*moved block).*User .*it cannot be replaced/

describe.skipIf(noTerraform)(
  'a replacement of a user, whom nothing makes again, is refused by the plan',
  () => {
    it.each([
      ['created', user(REVOKING), 'deploymgmt_user.dana'],
      ['adopted', sam(), 'deploymgmt_user.sam'],
      [
        'created, with create_before_destroy',
        user(REVOKING, '  lifecycle {\n    create_before_destroy = true\n  }\n'),
        'deploymgmt_user.dana',
      ],
    ])('where it is asked for by -replace: %s', async (_, hcl, address) => {
      const here = await applied(hcl, { fixture: withSam() })
      for (const words of [['plan'], ['apply', '-auto-approve']])
        expect((await here.expect(1, ...words, `-replace=${address}`)).said).toMatch(REFUSED_ALONE)
      expect(await here.newWrites()).toEqual([])
      await here.expectNoChanges()
    })

    it('with that error alone, also where their creation would need more', async () => {
      const here = await applied(user())
      await here.configure(user({ password: 'null' }))
      const { said } = await here.expect(1, 'plan', '-replace=deploymgmt_user.dana')
      expect(said).toMatch(REFUSED)
      expect(said.match(/Error:/g)).toHaveLength(1)
    })

    it.each(['', '    create_before_destroy = true\n'])(
      'where another resource triggers it, with %j',
      async (more) => {
        const here = await applied(triggered('one', more))
        await here.configure(triggered('two', more))
        expect((await here.expect(1, 'apply', '-auto-approve')).said).toMatch(REFUSED)
        expect(await here.newWrites()).toEqual([])
      },
    )

    it('where their id is known after the apply alone, until what it depends on is applied', async () => {
      const here = await applied(named('one'), { fixture: withSam() })
      await here.configure(named('two'))
      const { said } = await here.expect(1, 'plan')
      expect(said).toMatch(
        /Error: User: user_id is known only after the apply, and may then name another one .*\d+: user_id = .* -target/,
      )
      expect(said).not.toMatch(REFUSED)
      await here.apply('-target=terraform_data.who')
      await here.expectNoChanges()
      expect(await here.newWrites()).toEqual([])
    })

    it('where another resource is to take them over, save by a moved block', async () => {
      const here = await applied(people('dana'))
      await here.configure(people('renamed'))
      const { said } = await here.expect(1, 'apply', '-auto-approve')
      expect(said).toMatch(/dana@example\.com.*moved block/)
      expect(await here.newWrites()).toEqual([])
      await here.configure(
        `${people('renamed')}moved {\n  from = deploymgmt_user.dana["dana"]\n  to   = deploymgmt_user.dana["renamed"]\n}\n`,
      )
      await here.apply()
      expect(await here.newWrites()).toEqual([])
      await here.expectNoChanges()
    })

    it('where another resource is to adopt them by their id', async () => {
      const here = await applied(sam(), { fixture: withSam() })
      await here.configure(sam().replace('"sam"', '"other"'))
      expect((await here.expect(1, 'plan')).said).toMatch(/moved block/)
    })

    it('where a user that was created is given the id of somebody else', async () => {
      const here = await applied(user(), { fixture: withSam() })
      const { id } = await here.state('user.dana')
      await here.configure(user({ user_id: text(SAM), roles_complete: 'true' }))
      const { said } = await here.expect(1, 'plan')
      expect(said).toContain(`Error: user_id names a different user than dana@example.com, whose id is ${id}`)
      expect(said).toMatch(/\d+: user_id = /)
      expect(said).not.toContain('moved block')
    })

    it('and is none where another user is declared in their place', async () => {
      const fixture = withSam()
      const pat = { ...fixture.users[0], id: PAT, username: 'pat@example.com' }
      const here = await applied(sam(), { fixture: { ...fixture, users: [...fixture.users, pat] } })
      await here.change(sam({ user_id: text(PAT) }))
      expect(await here.newWrites()).toEqual([`PATCH /users/${SAM}`, `PATCH /users/${PAT}`])
      await here.expectNoChanges()
    })
  },
)

describe.skipIf(noTerraform)('two resources of one thing in one apply', () => {
  it('do not undo each other: what the new one has just written is not taken back by the old one', async () => {
    const lifecycle = '  lifecycle {\n    create_before_destroy = true\n  }\n'
    const here = await applied(noisy({ on_remove: '"restore"' }, lifecycle))
    const { said } = await here.apply('-replace=deploymgmt_alert_configuration.noisy')
    expect(said).toMatch(
      /left as it is.*same apply.*Destroyed later, that resource goes back to what it found/,
    )
    expect(await here.newWrites()).toEqual([])
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: false })
    await here.expectNoChanges()
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await alertIn(here, NOISY)).toMatchObject({ enabled: false })
  })
})

const renamed = (hcl: string): string => hcl.replace(/"(noisy|host_down)" {/, '"renamed" {')

describe.skipIf(noTerraform)('a resource that is renamed without a moved block', () => {
  const restoring = { on_remove: '"restore"' }

  // Terraform applies the two at the same time.
  it.each([
    ['one configuration', noisy(restoring), NOISY, false],
    ['a selector', hostDown(restoring), HOST_DOWN, true],
  ])('leaves %s as declared, however long the destroy takes', async (_, hcl, id, enabled) => {
    const here = await applied(hcl)
    await here.configure(renamed(hcl))
    await failing(here, 'PATCH', 'alertConfigs', { fault: 'latency', ms: 1000, count: 1 })
    await here.apply()
    expect(await alertIn(here, id)).toMatchObject({ enabled })
    await here.expectNoChanges()
  })
})

describe.skipIf(noTerraform)('a tainted user with create_before_destroy', () => {
  it('keeps the roles, and leaves nothing behind that the next apply would revoke', async () => {
    const hcl = sam().replace(/}\n$/, '  lifecycle {\n    create_before_destroy = true\n  }\n}\n')
    const here = await applied(hcl, { fixture: withSam() })
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.expect(0, 'taint', 'deploymgmt_user.sam')
    expect((await here.apply()).said).toMatch(/left as it is.*same apply/)
    await here.expectNoChanges()
    expect((await here.control('GET', 'dump')).users[0].invitations).toEqual([
      { roleName: 'ORG_READ_ONLY', orgId: ORG },
    ])
  })
})

describe.skipIf(noTerraform)('a plan that replaces something by another value', () => {
  it('warns of what happens to the old one', async () => {
    const here = await applied(migration(), { fixture: withAnotherProject })
    const [{ id }] = await windowsIn(here)
    await here.configure(migration({ project_id: text(OTHER_PROJECT) }))
    const { said } = await here.plan()
    expect(said.match(/Warning: /g)).toHaveLength(1)
    expect(said).toMatch(
      new RegExp(
        `Warning: Maintenance window: destroy does .*on_remove = "end".*${id} \\([^)]+ to [^)]+\\)\\. The window ends`,
      ),
    )
  })

  it('refuses nothing because of what the old one was', async () => {
    const here = await applied(integration('chat', { type: '"CHAT_A"', ensure: '"absent"' }))
    const { said } = await here.change(integration('chat', { type: '"PAGING"' }))
    expect(said).toContain('1 added, 0 changed, 1 destroyed.')
    expect(await here.state('integration.chat')).toMatchObject({ type: 'PAGING', present: true })
    await here.expectNoChanges()
  })

  it('takes what only a creation takes of another user, who has their own name', async () => {
    const [one, two] = [SAM, PAT].map((id) => ({ id, roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }] }))
    const users = [
      { ...one, username: 'sam@example.com', firstName: 'Sam' },
      { ...two, username: 'pat@example.com', firstName: 'Pat' },
    ]
    const here = await applied(sam({ first_name: '"Sam"' }), { fixture: { ...fixtureWith(), users } })
    const { said } = await here.change(sam({ user_id: text(PAT), first_name: '"Pat"' }))
    expect(said).toContain('1 added, 0 changed, 1 destroyed.')
    expect(await here.newWrites()).toEqual([`PATCH /users/${SAM}`, `PATCH /users/${PAT}`])
    await here.expectNoChanges()
  })

  it('does not warn of what the old one no longer declares', async () => {
    const here = await applied(apiKey({ access_list: '["192.0.2.0/24", "198.51.100.7"]' }))
    await here.configure(apiKey({ api_key_id: text(ON_CALL_KEY) }))
    const { said } = await here.plan()
    expect(said.match(/Warning: .*?on_remove/g)).toHaveLength(1)
    expect(said).not.toMatch(/access_list is no/)
  })

  it('says once that the new one does not exist', async () => {
    const here = await applied(noisy({ on_remove: '"restore"' }))
    await here.configure(noisy({ alert_config_id: '"5d1113b25a115342acc20000"', on_remove: '"restore"' }))
    const { said } = await here.expect(1, 'plan')
    expect(said.match(/Error: /g)).toHaveLength(1)
  })

  it('is refused where the old one would lose what has to be allowed', async () => {
    const fixture = withSam()
    const pat = { ...fixture.users[0], id: PAT, username: 'pat@example.com' }
    const owner = { roles: '[{ role_name = "ORG_OWNER", org_id = "ORG_ID" }]' }
    const here = await applied(sam(owner), { fixture: { ...fixture, users: [...fixture.users, pat] } })
    await here.configure(sam({ user_id: text(PAT) }))
    const { said } = await here.expect(1, 'plan')
    expect(said.match(/Error: DM-GUARD/g)).toHaveLength(1)
    expect(said).toContain('A destroy')
  })
})
