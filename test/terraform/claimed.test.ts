/** Two resources for one thing: Terraform plans each by itself, and they would undo each other's changes forever. */
import { describe, expect, it } from 'vitest'
import { fixtureWith, ORG } from '../support/installation.ts'
import { SAM } from '../support/people.ts'
import {
  apiKey,
  HOST_DOWN,
  hostDown,
  integration,
  migration,
  NOISY,
  noisy,
  REPORTER,
  resource,
  text,
  user,
} from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, configured, type Workspace } from './support/workspace.ts'

const again = (hcl: string): string => hcl.replace(/^(resource "\w+") "\w+"/, '$1 "again"')
const withId = (enabled: string) =>
  hostDown({ select: 'null', alert_config_id: text(HOST_DOWN), enabled }).replace('"host_down"', '"by_id"')

describe.skipIf(noTerraform)('two resources for one thing', () => {
  it.each([
    [
      'a selector and an id',
      hostDown() + withId('false'),
      /DM-SELECTOR-CONFLICT: Alert configuration 5d1113b25a115342acc2d0f3: another resource .* enabled.*(Here true, there false|Here false, there true).*of the two resources, or change select\./,
    ],
    [
      'one id',
      apiKey() + again(apiKey({ roles: '["ORG_READ_ONLY"]' })),
      new RegExp(
        `DM-SELECTOR-CONFLICT: API key ${REPORTER}: another resource .* another value of roles.* Leave it to one of the two resources\\.`,
      ),
    ],
    [
      'one id, of what a selector can match too',
      noisy() + again(noisy({ enabled: 'true' })),
      new RegExp(`DM-SELECTOR-CONFLICT: Alert configuration ${NOISY}: .* of the two resources\\.`),
    ],
    [
      'a list and a type',
      integration('one', { type: '"CHAT_A"' }) +
        integration('list', { only: '["PAGING"]', allow: '["delete"]' }),
      /DM-SELECTOR-CONFLICT: Third-party integration CHAT_A: another resource .* ensure.*, or change only\./,
    ],
    [
      'one name',
      user() + again(user()),
      /DM-SELECTOR-CONFLICT: User dana@example\.com: another resource .* creates or names/,
    ],
  ])('are refused before anything is sent: %s', async (_, hcl, error) => {
    const here = await configured(hcl)
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(error)
    expect(said).not.toMatch(/Here \[/)
    expect(await here.newWrites()).toEqual([])
  })

  it('are refused where the state has them both, with what lists the other', async () => {
    const mine = { allow: '["owner-removal"]' }
    const here = await applied(apiKey(mine) + again(apiKey(mine)))
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.configure(apiKey(mine) + again(apiKey({ ...mine, desc: '"Other"' })))
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(/DM-SELECTOR-CONFLICT: API key \w+: another resource .* desc/)
    const [, id = ''] = /terraform state list -id=([\w/]+)/.exec(said) ?? []
    const { stdout } = await here.expect(0, 'state', 'list', `-id=${id}`)
    expect(stdout.trim().split('\n')).toHaveLength(2)
  })

  it('are refused where the one that the state has is planned after the one that would create it again', async () => {
    const here = await applied(user())
    await here.configure(again(user()) + user({}, '  depends_on = [deploymgmt_user.again]\n'))
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(/DM-SELECTOR-CONFLICT: User dana@example\.com: another resource .* creates or names/)
  })

  it('pass where neither declares what the other one does otherwise', async () => {
    const here = await configured(
      apiKey({ roles: 'null' }) +
        again(apiKey({ desc: 'null', allow: '["owner-removal"]' })) +
        hostDown() +
        again(hostDown()),
      { fixture: fixtureWith() },
    )
    expect((await here.apply()).said).not.toContain('another resource')
    await here.expectNoChanges()
  })

  it('are not one that is replaced, and not two windows that are alike', async () => {
    const here = await applied(migration() + again(migration()) + hostDown())
    const { changes } = await here.plan('-replace=deploymgmt_alert_configuration.host_down')
    expect(changes.flatMap(({ actions }) => actions)).toEqual(
      expect.arrayContaining(['delete', 'create', 'no-op']),
    )
    await here.expect(0, 'taint', 'deploymgmt_alert_configuration.host_down')
    await here.apply()
    await here.expectNoChanges()
  })
})

const declaredIn = async (here: Workspace) => {
  const { users, projects } = await here.control('GET', 'dump')
  return [users[0].invitations, projects[0].alertConfigs.map(({ enabled }: any) => enabled)]
}

describe.skipIf(noTerraform)('a destroy of one of two resources for one thing', () => {
  const restoring = { on_remove: '"restore"', enabled: 'false' }
  const sam = resource('user', 'sam', {
    user_id: text(SAM),
    roles_complete: 'true',
    roles: '[{ role_name = "ORG_READ_ONLY", org_id = "ORG_ID" }]',
    on_remove: '"revoke"',
  })
  const fixture = {
    ...fixtureWith(),
    users: [{ id: SAM, username: 'sam@example.com', roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }] }],
  }
  it.each([
    ['revokes roles', 'user', sam, again(sam), SAM],
    ['restores what was there', 'alert_configuration', noisy(restoring), again(noisy(restoring)), NOISY],
  ])('is refused where it %s, and one is forgotten by a removed block', async (_, kind, hcl, other, id) => {
    const here = await applied(hcl, { fixture })
    await here.change(hcl + other)
    const before = await declaredIn(here)
    await here.configure(hcl)
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(
      new RegExp(`DM-SELECTOR-CONFLICT: [\\w ]+ ${id}: one of two resources for it would be destroyed`),
    )
    await here.change(
      `${hcl}removed {\n  from = deploymgmt_${kind}.again\n  lifecycle {\n    destroy = false\n  }\n}\n`,
    )
    await here.expectNoChanges()
    expect(await declaredIn(here)).toEqual(before)
  })

  it('passes where both are destroyed', async () => {
    const here = await applied(sam, { fixture })
    await here.change(sam + again(sam))
    const { said } = await here.expect(0, 'destroy', '-auto-approve')
    expect(said).toContain('2 destroyed')
  })
})

describe.skipIf(noTerraform)('a thing that another state manages too', () => {
  it.each([
    ['it is read', noisy(), noisy({ enabled: 'true' }), ''],
    ['no endpoint shows it', apiKey(), apiKey({ desc: '"Other"' }), String.raw`; \S+ says: desc "Other"`],
  ])('is reported because both have the same key, where %s', async (_, mine, theirs, says) => {
    const here = await applied(mine)
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.configure(theirs)
    await here.apply('-state=other.tfstate')
    await here.configure(mine)
    expect((await here.plan()).said).toMatch(
      new RegExp(
        String.raw`by key "ciadmin"${says} .* at \S+ This provider has that key: perhaps another state`,
      ),
    )
  })
})
