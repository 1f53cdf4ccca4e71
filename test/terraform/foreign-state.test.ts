/** A state that was edited by hand, or written by another provider. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { apiKey, hostDown, migration, noisy, user } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, type Workspace } from './support/workspace.ts'

/** Edits the only instance of the only resource. */
const edited = async (here: Workspace, edit: (instance: any) => object): Promise<void> => {
  const state = JSON.parse(await here.read('terraform.tfstate'))
  const [resource] = state.resources
  resource.instances = resource.instances.map((each: any) => ({ ...each, ...edit(each) }))
  await writeFile(join(here.folder, 'terraform.tfstate'), JSON.stringify({ ...state, serial: 1000 }))
}

describe.skipIf(noTerraform)('a state that the provider cannot have written', () => {
  it('is refused with what is wrong of which resource, and what to do', async () => {
    const here = await applied(apiKey())
    await edited(here, ({ attributes }) => ({ attributes: { ...attributes, roles: 'ORG_MEMBER' } }))
    const { said } = await here.expect(1, 'plan')
    expect(said).not.toContain('DM-INTERNAL')
    expect(said).toMatch(/Error: API key: its state is not one that this provider writes/)
    expect(said).toMatch(/with deploymgmt_api_key\.reporting/)
    expect(said).toMatch(/roles: expected a set, .*terraform state rm/)
  })

  it.each([
    ['project_id', noisy()],
    ['alert_config_id', noisy()],
    ['project_id', hostDown()],
    ['org_id', apiKey()],
  ])('is refused where it has no %s, which names the thing', async (name, hcl) => {
    const here = await applied(hcl)
    await edited(here, ({ attributes }) => ({ attributes: { ...attributes, [name]: null } }))
    const { said } = await here.expect(1, 'plan')
    expect(said).not.toContain('DM-INTERNAL')
    expect(said).toMatch(new RegExp(`${name}: expected a value, .*terraform state rm`))
  })

  it.each(['{', '[]', '{"records":[1]}', '{"records":{"a":{"applied":{}}}}'])(
    'remembers nothing where what is beside its attributes is %s',
    async (kept) => {
      const here = await applied(migration())
      await edited(here, () => ({ private: Buffer.from(kept).toString('base64') }))
      const { said } = await here.apply()
      expect(said).toMatch(/Warning: Maintenance window: what was remembered about it is lost/)
      await here.expectNoChanges()
    },
  )

  it('loses a password that somebody wrote into it', async () => {
    const here = await applied(user())
    await edited(here, ({ attributes }) => ({ attributes: { ...attributes, password: 'canary' } }))
    await here.expectNoChanges()
    await here.expect(0, 'apply', '-auto-approve', '-refresh-only')
    expect(await here.read('terraform.tfstate')).not.toContain('canary')
  })
})
