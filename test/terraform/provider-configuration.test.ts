/** The provider's own settings. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureWith } from '../support/installation.ts'
import { migration, noisy, user } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, begin, configured } from './support/workspace.ts'

const OTHERS = '5980cfdf0b6d97029d82f8aa'

describe.skipIf(noTerraform)('a provider configuration', () => {
  it('that is not known yet plans creations without a look, and nothing else', async () => {
    const here = await begin()
    const unknown = `resource "terraform_data" "url" {\n  input = "${here.baseUrl}"\n}\n`
    const provider = 'provider "deploymgmt" {\n  base_url = terraform_data.url.output\n}\n'
    await here.configure(unknown + noisy() + migration(), provider)
    const { said } = await here.plan()
    expect(said).toContain('3 to add')
    expect((await here.requests()).log).toEqual([])
    await here.apply()
    await here.expectNoChanges()
    await here.configure(unknown.replace('"url" {', '"url" {\n  triggers_replace = 1') + noisy(), provider)
    const refused = await here.expect(1, 'plan')
    expect(refused.said).toMatch(/DM-SETTING-MISSING.*base_url is not known yet/)
    const both = provider.replace('}', '  org_id = terraform_data.url.id\n}')
    await here.configure(unknown.replace('"url" {', '"url" {\n  triggers_replace = 1') + noisy(), both)
    expect((await here.expect(1, 'plan')).said).toContain('base_url, org_id are not known yet.')
  })

  it('of which only limits are not known yet plans with the usual ones', async () => {
    const number = 'resource "terraform_data" "number" {\n  input = 2\n}\n'
    const limits = ['concurrency', 'request_timeout_seconds', 'retry_timeout_seconds'].map(
      (name) => `  ${name} = terraform_data.number.output\n`,
    )
    const here = await applied(noisy())
    await here.configure(
      number + noisy({ enabled: 'true' }),
      `provider "deploymgmt" {\n${limits.join('')}}\n`,
    )
    expect((await here.plan()).changes).toContainEqual(expect.objectContaining({ actions: ['update'] }))
    await here.expect(0, 'apply', 'saved.plan')
    await here.expectNoChanges()
  })

  it.each([
    [
      'org_id = "5980CFDF0B6D97029D82F86E"',
      1,
      /has capital letters.*did you mean 5980cfdf0b6d97029d82f86e\?/,
    ],
    ['org_id = "../orgs"', 1, /Error: "\.\.\/orgs" is not an id/],
    ['org_id = "5980cfdf0b6d97029d82f86e "', 1, /Error: "5980cfdf0b6d97029d82f86e " is not an id/],
    ['org_id = "x"', 0, /Warning: "x" does not look like an id of this API/],
    ['projects = { "Pay ments" = "a/b" }', 1, /Error: projects\["Pay ments"\]: "a\/b" is not an id/],
    ['projects = { payments = null }', 1, /Error: projects\["payments"\]: an id is missing/],
    ['projects = { "" = "5c8100bcf2a30b12ff88258f" }', 1, /Error: projects\[""\]: a name is missing/],
    [
      'projects = { a = "5c8100bcf2a30b12ff88258f", b = "5c8100bcf2a30b12ff88258f" }',
      1,
      /Error: projects\["b"\]: 5c8100bcf2a30b12ff88258f has another name, a/,
    ],
    ['projects = { payments = "x" }', 0, /Warning: projects\["payments"\]: "x" does not look like an id/],
  ])('has its ids checked: %s', async (line, code, told) => {
    const here = await configured(migration())
    await here.configure(migration(), `provider "deploymgmt" {\n  ${line}\n}\n`)
    const { said } = await here.expect(code, 'plan')
    expect(said).toMatch(told)
    // Terraform shows the line of the attribute.
    expect(said).toContain(`: ${line}`)
  })

  it('with an organization that is not there is told so, and not that a role is missing', async () => {
    const here = await applied(migration())
    await here.configure(migration(), 'provider "deploymgmt" {\n  org_id = "5980cfdf0b6d97029d82f8ff"\n}\n')
    const { said } = await here.expectNoChanges()
    expect(said).toContain('organization 5980cfdf0b6d97029d82f8ff: the service does not know it (404)')
    expect(said).not.toContain('ORG_MEMBER')
  })

  it.each([
    ['not there', '5980cfdf0b6d97029d82f8ff', /organization 5980cfdf0b6d97029d82f8ff: .* \(404\)/g],
    ['of others', OTHERS, new RegExp(`organization ${OTHERS}: its events cannot be read \\(401\\)`, 'g')],
  ])('with an organization that is %s is told so once by the first plan', async (_, org, told) => {
    const fixture = fixtureWith() as { organizations: object[] }
    const others = { id: OTHERS, name: 'Others', apiKeys: [] }
    const here = await begin({ fixture: { ...fixture, organizations: [...fixture.organizations, others] } })
    await here.configure(
      migration() + migration().replace('"migration"', '"second"'),
      `provider "deploymgmt" {\n  org_id = "${org}"\n}\n`,
    )
    const { said } = await here.plan()
    expect(said.match(told)).toHaveLength(1)
    await here.configure(migration())
    expect((await here.plan()).said).not.toContain('Warning:')
  })

  it('with a wrong key is an error of the first plan, also where nothing but events could be read', async () => {
    const here = await begin({ env: { DEPLOYMGMT_PRIVATE_KEY: 'wrong' } })
    await here.configure(user())
    const { said } = await here.expect(1, 'plan')
    expect(said.match(/Error:/g)).toHaveLength(1)
    expect(said).toContain('DM-AUTH-REJECTED')
    expect(said).not.toContain('ORG_MEMBER there')
  })

  it('has a sentence for the address and one for the key where nothing is set', async () => {
    const nothing = { DEPLOYMGMT_BASE_URL: '', DEPLOYMGMT_PUBLIC_KEY: '', DEPLOYMGMT_PRIVATE_KEY: '' }
    const here = await configured(noisy(), { env: nothing })
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(
      /Set base_url \(or DEPLOYMGMT_BASE_URL\) to the address of the service, such as \S+v1\.0\. Set/,
    )
    expect(said).toContain(
      'Set public_key (or DEPLOYMGMT_PUBLIC_KEY) and private_key (or DEPLOYMGMT_PRIVATE_KEY) to the two halves of an API key.',
    )
  })

  it('stands above the environment, and its errors say what is missing', async () => {
    const here = await configured(noisy(), {
      env: { DEPLOYMGMT_BASE_URL: '', DEPLOYMGMT_PRIVATE_KEY: 'wrong' },
    })
    expect((await here.expect(1, 'plan')).said).toMatch(
      /DM-SETTING-MISSING: DEPLOYMGMT_BASE_URL is not set.*Set base_url \(or DEPLOYMGMT_BASE_URL\) to the address .*\/v1\.0\. $/,
    )
    await here.configure(noisy(), `provider "deploymgmt" {\n  base_url = "${here.baseUrl}"\n}\n`)
    expect((await here.expect(1, 'plan')).said).toContain('DM-AUTH-REJECTED')
    const keyFile = join(here.folder, 'key.auto.tfvars')
    await writeFile(
      keyFile,
      `private_key = "${(await readFile(join(here.folder, 'main.tf'), 'utf8')).length > 0 ? here.env['DEPLOYMGMT_PRIVATE_KEY'] : ''}"\n`,
    )
    await here.change(
      noisy(),
      `variable "private_key" {\n  sensitive = true\n}\nprovider "deploymgmt" {\n  base_url = "${here.baseUrl}"\n  private_key = var.private_key\n  concurrency = 2\n}\n`,
    )
  })

  // Terraform passes 1e400 as text, because no floating-point number is that large.
  it.each(['0', '1e400'])('with a concurrency of %s is refused at the attribute', async (concurrency) => {
    const here = await begin()
    await here.configure(noisy(), `provider "deploymgmt" {\n  concurrency = ${concurrency}\n}\n`)
    expect((await here.expect(1, 'validate')).said).toMatch(
      /concurrency has to be a whole number above 0.*line \d+/,
    )
  })

  it.each([
    ['base_url', 'http://127.0.0.1:8080', /DM-BASE-URL: .* does not end with \/api\/public\/v1\.0/],
    ['base_url', 'http://example.com/api/public/v1.0', /DM-INSECURE-URL: .* is plain http/],
    ['public_key', 'ci admin', /DM-CREDENTIALS: the public key holds blanks/],
    ['private_key', 'secret-canary\\n', /DM-CREDENTIALS: the private key begins or ends with white space/],
  ])('with an impossible %s is refused by validate, at the attribute: %j', async (name, value, told) => {
    const here = await begin()
    await here.configure(migration(), `provider "deploymgmt" {\n  ${name} = "${value}"\n}\n`)
    const { said } = await here.expect(1, 'validate')
    expect(said).toMatch(told)
    expect(said).toMatch(new RegExp(`\\d+: ${name} = `))
    expect((await here.requests()).log).toEqual([])
  })

  it('from the environment is checked where it is needed, and left alone by validate', async () => {
    const here = await begin({ env: { DEPLOYMGMT_PUBLIC_KEY: 'ci admin' } })
    await here.configure(migration(), 'provider "deploymgmt" {\n  base_url = ""\n}\n')
    await here.expect(0, 'validate')
    expect((await here.expect(1, 'plan')).said).toMatch(/DM-CREDENTIALS: the public key holds blanks/)
  })
})
