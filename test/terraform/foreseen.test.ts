/** If reading shows that an apply will refuse or delete something, the plan of a change says so. */
import { describe, expect, it } from 'vitest'
import { fixtureWith, PROJECT } from '../support/installation.ts'
import { CI_ID } from '../support/people.ts'
import {
  apiKey,
  hostDown,
  integration,
  migration,
  NOISY,
  noisy,
  oldChat,
  text,
  user,
  type Attributes,
} from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, configured } from './support/workspace.ts'

const ownKey = (roles: string) =>
  apiKey({ api_key_id: '"5c47503320eef5699e1cce8e"', desc: '"On call"', roles })
const comesBack = [
  { type: 'PAGING', serviceKey: 'canary' },
  { type: 'CHAT_A', apiToken: 'canary' },
]

describe.skipIf(noTerraform)('the plan of a change', () => {
  it.each([
    [
      'an owner that would be lost',
      ownKey('["ORG_OWNER"]'),
      ownKey('["ORG_MEMBER"]'),
      /Error: DM-GUARD: refused: .*allow = \["owner-removal"\]/,
    ],
    [
      'an access list that differs',
      apiKey({ access_list: '["192.0.2.0/24", "198.51.100.7"]' }),
      apiKey({ access_list: '["192.0.2.0/24"]' }),
      /Error: access_list also has 198\.51\.100\.7\/32.*\d+: access_list = .*By hand/,
    ],
    [
      'a selector that matches nothing',
      hostDown(),
      hostDown({ select: '{ event_type_name = "NO_PRIMARY" }' }),
      /Error: nothing .* matches/,
    ],
  ])('refuses %s, which its apply would refuse', async (_, before, after, error) => {
    const here = await applied(before)
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.configure(after)
    expect((await here.expect(1, 'plan')).said).toMatch(error)
  })

  it.each([
    [
      'was never written',
      'null',
      'its roles were never seen, and it may be the calling key "ciadmin": the write could take ORG_OWNER away from it; if desc is declared, it is sent first, and its answer shows them',
    ],
    [
      'is known by its description',
      '"CI"',
      'its roles were never seen, and it may be the calling key "ciadmin": the write could take ORG_OWNER away from it with deploymgmt_api_key',
    ],
  ])('warns of what it takes from the key in use that %s, where that is allowed', async (_, desc, why) => {
    const demoted = (more: Attributes) =>
      apiKey({ api_key_id: text(CI_ID), desc, roles: '["ORG_READ_ONLY"]', ...more })
    const here = await configured(demoted({ allow: '["owner-removal"]' }))
    expect((await here.plan()).said).toContain(`Warning: allowed: ${why}`)
    await here.configure(demoted({}))
    expect((await here.expect(1, 'apply', '-auto-approve')).said).toMatch(/DM-GUARD: refused: .*calling key/)
    // Once its public half is known, it is known to be the key in use.
    await here.change(demoted({ desc: '"CI"', roles: '["ORG_OWNER"]' }))
    await here.configure(demoted({ desc: '"CI"', allow: '["owner-removal"]' }))
    const { said } = await here.plan()
    expect(said).toContain('Warning: allowed: the calling key would lose its own ORG_OWNER')
  })

  it('refuses a type that only does not allow and that nothing allows to delete', async () => {
    const here = await applied(integration('only', { only: '["PAGING"]' }), {
      fixture: fixtureWith({ integrations: comesBack.slice(0, 1) }),
    })
    await here.control('PUT', `projects/${PROJECT}/integrations`, comesBack)
    expect((await here.expect(1, 'plan')).said).toMatch(
      /Error: DM-GUARD: refused: CHAT_A would be deleted because .*allow = \["delete"\]/,
    )
    expect((await here.expect(1, 'plan')).said).not.toContain('CHAT_A is deleted')
  })

  it('warns of a deletion of what has come back, which cannot be undone', async () => {
    const here = await applied(oldChat)
    await here.control('PUT', `projects/${PROJECT}/integrations`, comesBack)
    const { said } = await here.plan()
    expect(said).toMatch(
      /Warning: [\w -]+ CHAT_A is deleted from \w+ by the apply.*A deletion cannot be undone\./,
    )
  })

  it('says of an id that is not there that it is to be checked before anything is added by hand', async () => {
    const checked =
      /Check alert_config_id first; whatever is added by hand gets an id of its own, which then has to be declared\. By hand: /
    const here = await configured(noisy({ alert_config_id: text('5d1113b25a115342acc2dead') }))
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(new RegExp(`Error: .*${checked.source}`))
    expect(said).toMatch(/\d+: alert_config_id = /)

    // What disappears later is a warning in each reading, and an error in the apply.
    await here.change(noisy({ alert_config_id: text(NOISY) }))
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [])
    expect((await here.plan()).said).toMatch(checked)
    const refused = await here.expect(1, 'apply', 'saved.plan')
    expect(refused.said).toMatch(checked)
    expect(refused.said).toMatch(/Error: .*Check alert_config_id first/)
    expect(refused.said).not.toContain('Warning: Alert configuration: check')
  })

  it('warns that the invitation to a role may stand, if its removal comes before anybody has accepted it', async () => {
    const warned = new RegExp(
      `Warning: User: taken away before .* may still stand, .*: GROUP_READ_ONLY ${PROJECT}`,
    )
    const members = '[{ role_name = "ORG_MEMBER", org_id = "ORG_ID" }]'
    const here = await applied(user({ on_remove: '"revoke"' }))
    expect((await here.expect(0, 'plan', '-destroy')).said).toMatch(
      /may still stand, .*: ORG_MEMBER .*; GROUP_READ/,
    )
    const { id } = await here.state('user.dana')
    await here.configure(user({ roles: members }))
    expect((await here.plan()).said).toMatch(warned)
    // The plan that Terraform makes again within an apply says it, and the apply says it no second time.
    const { said } = await here.expect(0, 'apply', 'saved.plan')
    expect(said).toMatch(warned)
    expect(said).not.toContain('similar warning')
    await here.change(user())
    await here.control('POST', 'invitations', { userId: id, accept: true })
    const answered = ['ORG_MEMBER', 'ORG_GROUP_CREATOR'].map(
      (role) => `{ role_name = "${role}", org_id = "ORG_ID" }`,
    )
    const reader = '{ role_name = "GROUP_READ_ONLY", project_id = "PROJECT_ID" }'
    await here.change(user({ roles: `[${[...answered, reader].join(', ')}]`, allow: '["overwrite"]' }))
    await here.configure(user({ roles: members }))
    expect((await here.plan()).said).not.toMatch(warned)
  })

  it('says nothing where nothing is in the way', async () => {
    const here = await applied(apiKey())
    await here.configure(apiKey({ desc: '"Other"' }))
    expect((await here.plan()).said).not.toContain('Warning')
  })
})

const owner = (more: Attributes = {}) =>
  user({ roles: '[{ role_name = "ORG_OWNER", org_id = "ORG_ID" }]', on_remove: '"revoke"', ...more })

describe.skipIf(noTerraform)('a destroy that has to be asked for', () => {
  it('is refused by its plan, before anything is destroyed, and reads what allows it from the state', async () => {
    const here = await applied(owner() + migration())
    for (const words of [
      ['plan', '-destroy'],
      ['destroy', '-auto-approve'],
    ]) {
      const { said } = await here.expect(1, ...words)
      expect(said).toMatch(
        /Error: DM-GUARD: refused: .*set allow = \["owner-removal"\], apply that, and destroy it then/,
      )
    }
    expect(await here.newWrites()).toEqual([])
    await here.change(owner({ allow: '["owner-removal"]' }) + migration())
    await here.expect(0, 'destroy', '-auto-approve')
  })
})
