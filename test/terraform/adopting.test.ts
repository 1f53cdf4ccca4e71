import { describe, expect, it } from 'vitest'
import { fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import { SAM } from '../support/people.ts'
import {
  apiKey,
  hostDown,
  integration,
  NOISY,
  noisy,
  oldChat,
  paging,
  resource,
  text,
  user,
} from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, configured } from './support/workspace.ts'

const sam = { id: SAM, username: 'sam@example.com', roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }] }
const withSam = () => ({ ...fixtureWith(), users: [sam] })

const adopted = (more: Record<string, string>) =>
  resource('user', 'sam', {
    user_id: text(SAM),
    roles: '[{ role_name = "ORG_READ_ONLY", org_id = "ORG_ID" }]',
    ...more,
  })
/** Says only within the apply whether all roles are listed. */
const saying = (all: string): string =>
  `resource "terraform_data" "all" {\n  input = ${all}\n}\n${adopted({ roles_complete: 'terraform_data.all.output' })}`
const ownKey = (more: Record<string, string>) =>
  apiKey({ api_key_id: '"5c47503320eef5699e1cce8e"', desc: '"On call"', ...more })
const only = (more: Record<string, string>) => integration('only', { only: '["PAGING"]', ...more })
/** What the apply of a saved plan deletes, if WEBHOOK has come after the plan. */
const deletedBesideLater = async (
  here: Pick<Awaited<ReturnType<typeof configured>>, 'control' | 'expect' | 'writes'>,
) => {
  await here.control('PUT', `projects/${PROJECT}/integrations`, [
    { type: 'PAGING', serviceKey: 'canary' },
    { type: 'CHAT_A', apiToken: 'canary' },
    { type: 'WEBHOOK', url: 'https://example.com/canary' },
  ])
  await here.expect(0, 'apply', 'saved.plan')
  return here.writes()
}

describe.skipIf(noTerraform)('creating what exists already', () => {
  it('adopts it, says nothing of what it had before, and sends what differs', async () => {
    const here = await configured(noisy() + apiKey())
    await here.apply()
    // Two resources are applied at once; the two writes to the key are sent one after the other.
    expect((await here.writes()).toSorted()).toEqual([
      `PATCH /groups/${PROJECT}/alertConfigs/${NOISY}`,
      `PATCH /orgs/${ORG}/apiKeys/5c47503320eef5699e1cce8f`,
      `PATCH /orgs/${ORG}/apiKeys/5c47503320eef5699e1cce8f`,
    ])
    expect(await here.state('alert_configuration.noisy')).toMatchObject({ present: true, evidence: 'read' })
    expect(await here.state('api_key.reporting')).toMatchObject({
      evidence: 'recorded',
      public_key: 'reporter',
    })
    await here.expectNoChanges()
  })

  it('names user_id as the way to adopt a user whose creation gets a 409', async () => {
    const here = await configured(user({ username: '"sam@example.com"' }), { fixture: withSam() })
    const { said, code } = await here.terraform('apply', '-auto-approve')
    expect(code).toBe(1)
    expect(said).toContain('DM-ALREADY-EXISTS')
    expect(said).toMatch(/declare its user_id and roles_complete = true/)
    expect(said).toMatch(/with deploymgmt_user\.dana, on main\.tf line \d+/)
  })

  it('adopts a user by user_id, and only where all roles are said to be listed', async () => {
    const here = await configured(adopted({}), { fixture: withSam() })
    const refused = await here.expect(1, 'plan')
    expect(refused.said).toContain('roles_complete = true')
    expect(refused.said).toMatch(/on main\.tf line \d+, in resource "deploymgmt_user" "sam"/)
    const { said } = await here.change(adopted({ roles_complete: 'true' }))
    expect(said).toMatch(new RegExp(`1 of its roles invited, .* User ${SAM}\\.`))
    expect(await here.writes()).toEqual([`PATCH /users/${SAM}`])
    await here.expectNoChanges()
  })

  it('decides within the apply where it is not known before whether all roles are listed', async () => {
    const here = await configured(saying('false'), { fixture: withSam() })
    await here.plan()
    expect((await here.expect(1, 'apply', 'saved.plan')).said).toContain('roles_complete = true')
    expect(await here.writes()).toEqual([])
    await here.change(saying('true'))
    expect(await here.writes()).toEqual([`PATCH /users/${SAM}`])
  })

  it('warns of a user’s roles that were never listed, and leaves them alone', async () => {
    const roles = [
      { roleName: 'ORG_READ_ONLY', orgId: ORG },
      { roleName: 'GROUP_DATA_ACCESS_ADMIN', groupId: PROJECT },
    ]
    const here = await configured(adopted({ roles_complete: 'true' }), {
      fixture: { ...fixtureWith(), users: [{ ...sam, roles }] },
    })
    expect((await here.apply()).said).toContain(
      'User: also has what is not declared: GROUP_DATA_ACCESS_ADMIN',
    )
    await here.expectNoChanges()
  })

  it.each([
    [
      'an integration',
      integration('hook', { type: '"WEBHOOK"' }),
      /By hand: Project \w+ → Integrations → WEBHOOK/,
      'type',
    ],
    [
      'an alert configuration',
      noisy({ alert_config_id: '"5d1113b25a115342acc2d999"' }),
      /By hand: Project \w+ → Alerts/,
      'alert_config_id',
    ],
    [
      'what a selector matches',
      hostDown({ select: '{ event_type_name = "NO_PRIMARY" }' }),
      /nothing .* matches/,
      'select',
    ],
  ])(
    'refuses %s that is missing, at its attribute, with the manual step',
    async (_, hcl, step, attribute) => {
      const here = await configured(hcl)
      const { said } = await here.expect(1, 'plan')
      expect(said).toMatch(step)
      expect(said).toMatch(new RegExp(`\\d+: ${attribute} = `))
      expect(await here.writes()).toEqual([])
    },
  )

  it('refuses an access list that differs, at its attribute, with the manual step', async () => {
    const here = await configured(apiKey({ access_list: '["192.0.2.0/24"]' }))
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(/access_list also has 198\.51\.100\.7\/32/)
    expect(said).toMatch(/Access Manager → API Keys/)
    expect(said).toMatch(/\d+: access_list = /)
  })

  it('says at the attribute what a creation needs', async () => {
    const here = await configured(user({ password: 'null', last_name: 'null' }))
    const { said } = await here.expect(1, 'plan')
    for (const name of ['password', 'last_name']) expect(said).toContain(`${name} is needed to create it`)
  })

  it('allows nothing to match where that is said to be fine', async () => {
    const here = await applied(
      hostDown({ select: '{ event_type_name = "NO_PRIMARY" }', allow_empty: 'true' }),
    )
    expect(await here.state('alert_configuration.host_down')).toMatchObject({
      present: false,
      configurations: {},
    })
    await here.expectNoChanges()
  })
})

describe.skipIf(noTerraform)('the roles of a guarded key', () => {
  it('are not taken without allow, and are with it', async () => {
    const here = await configured(ownKey({}))
    const refused = await here.expect(1, 'apply', '-auto-approve')
    expect(refused.said).toContain('allow = ["owner-removal"]')
    expect(refused.said).not.toContain('--allow')
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.configure(ownKey({ allow: '["owner-removal"]' }))
    expect((await here.apply()).said).toContain('1 added, 0 changed, 0 destroyed')
    await here.expectNoChanges()
    const { organizations } = await here.control('GET', 'dump')
    const key = organizations[0].apiKeys.find(({ publicKey }: any) => publicKey === 'oncall')
    expect(key.roles).toEqual([{ roleName: 'ORG_MEMBER', orgId: ORG }])
  })

  it('names what can be allowed where allow has another word', async () => {
    const here = await configured(apiKey({ allow: '["owner-removel"]' }))
    const { said } = await here.expect(1, 'validate')
    expect(said).toMatch(
      /"owner-removel" cannot be allowed .*There are: owner-removal, role-removal, overwrite\./,
    )
  })
})

describe.skipIf(noTerraform)('an integration that must not be there', () => {
  it('is deleted, stays away without a change, and is deleted again when it comes back', async () => {
    const here = await configured(oldChat)
    await here.apply()
    expect(await here.writes()).toEqual([`DELETE /groups/${PROJECT}/integrations/CHAT_A`])
    expect(await here.state('integration.old_chat')).toMatchObject({ present: false, ensure: 'absent' })
    await here.expectNoChanges()
    await here.control('PUT', `projects/${PROJECT}/integrations`, [
      { type: 'CHAT_A', apiToken: 'back-canary' },
    ])
    const { changes } = await here.plan()
    expect(changes).toMatchObject([
      { actions: ['update'], before: { ensure: 'present' }, after: { ensure: 'absent' } },
    ])
    await here.apply()
    expect(await here.writes()).toHaveLength(2)
    await here.expectNoChanges()
  })

  it('is an attribute error when it has to be there again and is not, and adopted when it is', async () => {
    const here = await applied(oldChat)
    await here.configure(integration('old_chat', { type: '"CHAT_A"', ensure: '"present"' }))
    const refused = await here.expect(1, 'plan')
    expect(refused.said).toMatch(/\d+: ensure = "present"/)
    expect(refused.said).toMatch(/By hand: Project \w+ → Integrations → CHAT_A/)
    await here.control('PUT', `projects/${PROJECT}/integrations`, [
      { type: 'CHAT_A', apiToken: 'back-canary' },
    ])
    await here.apply()
    expect(await here.state('integration.old_chat')).toMatchObject({ present: true, ensure: 'present' })
    await here.expectNoChanges()
  })

  it('is deleted as not being in an only-list where that is allowed, and shown by its type before', async () => {
    const here = await configured(only({}))
    const refused = await here.expect(1, 'plan')
    expect(refused.said).toContain('allow = ["delete"]')
    await here.configure(only({ allow: '["delete"]' }))
    const { said } = await here.plan()
    expect(said).toContain('CHAT_A')
    await here.apply()
    expect(await here.writes()).toEqual([`DELETE /groups/${PROJECT}/integrations/CHAT_A`])
    expect(await here.state('integration.only')).toMatchObject({ forbidden: {}, present: true })
    await here.expectNoChanges()

    await here.control('PUT', `projects/${PROJECT}/integrations`, [
      { type: 'PAGING', serviceKey: 'canary' },
      { type: 'WEBHOOK', url: 'https://example.com/canary' },
    ])
    const { changes } = await here.plan()
    expect(changes).toMatchObject([
      { before: { forbidden: { WEBHOOK: 'present' } }, after: { forbidden: {} } },
    ])
    await here.expect(0, 'apply', 'saved.plan')
    expect(await here.writes()).toHaveLength(2)
    await here.expectNoChanges()
  })

  it('is warned of with the manual step where no call deletes it, while the others go', async () => {
    const scraper = { type: 'METRICS_SCRAPER' }
    const integrations = [
      { type: 'PAGING', serviceKey: 'canary' },
      { type: 'CHAT_A', apiToken: 'canary' },
      scraper,
    ]
    const here = await configured(only({ allow: '["delete"]' }), { fixture: fixtureWith({ integrations }) })
    const byHand =
      /METRICS_SCRAPER, so this API cannot delete it.*By hand: Project \S+ → Integrations → METRICS_SCRAPER → Remove/
    expect((await here.plan()).said).toMatch(byHand)
    expect((await here.apply()).said).toMatch(byHand)
    expect(await here.writes()).toEqual([`DELETE /groups/${PROJECT}/integrations/CHAT_A`])
    expect(await here.state('integration.only')).toMatchObject({ forbidden: {} })
    expect((await here.expectNoChanges()).said).toMatch(byHand)

    await here.control('PUT', `projects/${PROJECT}/integrations`, integrations)
    const { changes, said } = await here.plan()
    expect(changes).toMatchObject([
      { before: { forbidden: { CHAT_A: 'present' } }, after: { forbidden: {} } },
    ])
    expect(Object.keys(changes[0]?.before.forbidden)).toEqual(['CHAT_A'])
    expect(said).toMatch(byHand)
    await here.expect(0, 'apply', 'saved.plan')
    expect(await here.writes()).toHaveLength(2)
    await here.expectNoChanges()
  })

  it('is not deleted when it came between the plan and the apply', async () => {
    const here = await configured(integration('only', { only: '["PAGING"]', allow: '["delete"]' }), {
      fixture: fixtureWith({ integrations: [{ type: 'PAGING', serviceKey: 'canary' }] }),
    })
    await here.apply()
    await here.control('PUT', `projects/${PROJECT}/integrations`, [
      { type: 'PAGING', serviceKey: 'canary' },
      { type: 'CHAT_A', apiToken: 'canary' },
    ])
    await here.plan()
    expect(await deletedBesideLater(here)).toEqual([`DELETE /groups/${PROJECT}/integrations/CHAT_A`])
    const { changes } = await here.plan()
    expect(changes).toMatchObject([{ before: { forbidden: { WEBHOOK: 'present' } } }])
  })

  it.each([
    ['another only-list', '["PAGING"]'],
    ['an only-list that was not known yet', '[terraform_data.type.output]'],
  ])('is not deleted when it came after the plan of %s', async (_, list) => {
    const type = 'resource "terraform_data" "type" {\n  input = "PAGING"\n}\n'
    const here = await configured(only({ only: '["PAGING", "CHAT_A"]', allow: '["delete"]' }))
    await here.apply()
    await here.configure(type + only({ only: list, allow: '["delete"]' }))
    await here.plan()
    expect(await deletedBesideLater(here)).toEqual([`DELETE /groups/${PROJECT}/integrations/CHAT_A`])
    // The next plan shows it.
    expect(await here.state('integration.only')).toMatchObject({ forbidden: { WEBHOOK: 'present' } })
  })
})

describe.skipIf(noTerraform)('one integration of a project', () => {
  it('stays in the state when it is missing later, and is a change until it is back', async () => {
    const here = await applied(paging)
    await here.control('PUT', `projects/${PROJECT}/integrations`, [])
    const { said } = await here.expect(2, 'plan', '-detailed-exitcode')
    expect(said).toContain('declared present, not found')
    expect(said).toMatch(/By hand: Project \w+ → Integrations → PAGING/)
    await here.apply('-refresh-only')
    expect(await here.state('integration.paging')).toMatchObject({ present: false, ensure: 'present' })
    await here.expect(2, 'plan', '-detailed-exitcode')
    await here.control('PUT', `projects/${PROJECT}/integrations`, [{ type: 'PAGING', serviceKey: 'canary' }])
    await here.expectNoChanges()
  })
})
