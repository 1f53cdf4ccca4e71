import { describe, expect, it } from 'vitest'
import { apiKey, hostDown, integration, migration, text, user } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { configured } from './support/workspace.ts'

const events = (minDate: string): string =>
  `data "deploymgmt_organization_events" "it" {\n  org_id = "ORG_ID"\n  min_date = ${minDate}\n}\n`

const nulls = (): string =>
  [
    apiKey({ roles: '[null]', access_list: `["192.0.2.1", null]`, allow: '[null]' }),
    user({ roles: `[null, { role_name = null }]` }),
    hostDown({ select: `{ event_type_name = "HOST_DOWN", matchers = [null, { value = "x" }] }` }),
    migration({ alert_type_names: `["HOST", null]` }),
    integration('nothing_else', { only: `["PAGING", null]` }),
  ].join('')

describe.skipIf(noTerraform)('a selector that names nothing', () => {
  it.each([
    ['{ matchers = [] }', 'an empty selector would match every configuration'],
    ['{ event_type_name = null }', 'an empty selector would match every configuration'],
    ['{ matchers = [{}] }', 'select.matchers: an empty matcher would match every configuration'],
    [
      '{ event_type_name = "HOST_DOWN", matchers = [{ value = null }] }',
      'select.matchers: an empty matcher would match every configuration',
    ],
  ])('is refused at its attribute: %s', async (select, message) => {
    const here = await configured(hostDown({ select }))
    const { said } = await here.expect(1, 'validate')
    expect(said).toContain(message)
    expect(said).toMatch(/\d+: select = /)
  })

  it('is refused before anything is read where another attribute is not known yet', async () => {
    const here = await configured(
      hostDown({ select: '{ matchers = [] }', project_id: 'terraform_data.project.output' }) +
        'resource "terraform_data" "project" {\n  input = "PROJECT_ID"\n}\n',
    )
    expect((await here.expect(1, 'validate')).said).toContain('an empty selector')
  })
})

describe.skipIf(noTerraform)('what is read from the service', () => {
  it('cannot be set in a configuration, which is said at each attribute', async () => {
    const here = await configured(
      hostDown({ id: '"a"', present: 'true', configurations: '{}' }) +
        apiKey({ public_key: '"abcdefgh"', evidence: '"read"' }) +
        migration({ ended: 'false' }) +
        'data "deploymgmt_integrations" "it" {\n  project_id = "PROJECT_ID"\n  results = []\n  total_count = 1\n}\n',
    )
    const { said } = await here.expect(1, 'validate')
    for (const name of [
      'id',
      'present',
      'configurations',
      'public_key',
      'evidence',
      'ended',
      'results',
      'total_count',
    ])
      expect(said).toMatch(new RegExp(`${name} cannot be set.*\\d+: ${name} = `))
  })
})

describe.skipIf(noTerraform)('an address that is none', () => {
  it.each([
    ['192.0.2.300', 'is neither an address nor a block', 'Part of it is above 255.'],
    ['192.0.2.010', 'is neither an address nor a block; did you mean 192.0.2.10?', 'as octal'],
    ['192.0.2.1/24', 'has bits set beyond its prefix length; did you mean 192.0.2.0/24?', 'access_list = '],
  ])('is refused with what is wrong with it: %s', async (address, summary, detail) => {
    const here = await configured(apiKey({ access_list: `["${address}"]` }))
    const { said } = await here.expect(1, 'validate')
    expect(said).toContain(summary)
    expect(said).toContain(detail)
  })
})

describe.skipIf(noTerraform)('a data source’s bound', () => {
  it('has to have a value, which is said by validate', async () => {
    const here = await configured(events('null'))
    expect((await here.expect(1, 'validate')).said).toMatch(
      /min_date or limit is required.*\d+: min_date = null/,
    )
  })

  it('has to have a value once it is known, and nothing is read without one', async () => {
    const here = await configured(
      `${events('one(terraform_data.start[*].output)')}resource "terraform_data" "start" {\n  count = 1\n  input = null\n}\n`,
    )
    await here.expect(0, 'validate')
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('min_date or limit is required')
    // Each configured provider only asks for a challenge.
    expect((await here.requests()).log.filter(({ status }) => status !== 401)).toEqual([])
  })
})

describe.skipIf(noTerraform)('null in a collection', () => {
  it('is an error at the attribute', async () => {
    const here = await configured(nulls())
    const { said } = await here.expect(1, 'validate')
    expect(said).not.toContain('DM-INTERNAL')
    for (const name of ['roles', 'access_list', 'allow', 'select', 'alert_type_names', 'only'])
      expect(said).toMatch(new RegExp(`null is not allowed here.*\\d+: ${name} = `))
    expect(said).toContain('roles.role_name: null is not allowed here')
    expect(said).toContain('select.matchers: null is not allowed here')
  })

  it('is an error of the apply where it was not known before, and nothing is sent', async () => {
    const here = await configured(
      `${apiKey({ roles: '["ORG_MEMBER", terraform_data.role.output]' })}resource "terraform_data" "role" {\n  input = null\n}\n`,
    )
    await here.expect(0, 'validate')
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toContain('null is not allowed here')
    expect(await here.writes()).toEqual([])
  })
})

describe.skipIf(noTerraform)('a refusal', () => {
  it('lists what can be allowed, and suggests nothing that was not meant', async () => {
    const here = await configured(user({ allow: '["role-removal"]' }))
    const { said } = await here.expect(1, 'validate')
    expect(said).toMatch(/"role-removal" cannot be allowed .*There are: owner-removal, overwrite\./)
    expect(said).not.toContain('did you mean')
  })

  it('says how long a text may be, and counts characters', async () => {
    const here = await configured(
      user({ first_name: '""' }) +
        apiKey({ desc: text('👩'.repeat(250)) }) +
        migration({ description: '"é"' }),
    )
    const { said } = await here.expect(1, 'validate')
    expect(said).toMatch(/the text is empty.*It has to have at least 1 character\./)
    expect(said.match(/the text (?:has|is)/g)).toHaveLength(1)
  })

  it.each([
    [
      'a text that is empty',
      { desc: '""' },
      /the text is empty .*It has to have at least 1 and at most 250 characters\./,
    ],
    [
      'a text that is too long',
      { desc: text('é'.repeat(251)) },
      /the text has 251 characters .*at most 250 characters\./,
    ],
    ['a set that is empty', { roles: '[]' }, /at least 1 element is needed/],
  ])('says what a length is counted in, of %s', async (_, attributes, words) => {
    const here = await configured(apiKey(attributes))
    expect((await here.expect(1, 'validate')).said).toMatch(words)
  })
})
