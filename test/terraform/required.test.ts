/** What is always required is required by the schema, so Terraform reports it before anything is read. */
import { describe, expect, it } from 'vitest'
import { migration, noisy, resource, user, type Attributes } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, configured } from './support/workspace.ts'

const project = { project_id: '"PROJECT_ID"' }

describe.skipIf(noTerraform)('what is always required', () => {
  it.each<[string, Attributes, string[]]>([
    ['alert_configuration', { ...project, select: '{ event_type_name = "HOST_DOWN" }' }, ['enabled']],
    ['maintenance_window', project, ['alert_type_names', 'start_date', 'end_date']],
    ['user', { username: '"dana@example.com"' }, ['roles']],
  ])('is called missing by terraform validate in a %s', async (kind, attributes, missing) => {
    const here = await configured(resource(kind, 'it', attributes))
    const { said } = await here.expect(1, 'validate')
    for (const name of missing) expect(said).toContain(`The argument "${name}" is required`)
    expect((await here.requests()).log).toEqual([])
  })

  it.each([
    ['enabled', noisy({ enabled: 'null' })],
    ['start_date', migration({ start_date: 'null' })],
    ['roles', user({ roles: 'null' })],
  ])('is called missing at %s where it is null', async (name, hcl) => {
    const here = await configured(hcl)
    expect((await here.expect(1, 'validate')).said).toMatch(
      new RegExp(`${name} is needed to manage it.*\\d+: ${name} = null`),
    )
  })

  it('is called missing by the plan where a variable turns out to be null', async () => {
    const nothing = 'variable "enabled" {\n  type    = bool\n  default = null\n}\n'
    const here = await configured(noisy({ enabled: 'var.enabled' }) + nothing)
    expect((await here.expect(1, 'plan')).said).toContain('enabled is needed to manage it')
  })

  it('may differ from what is there, and be null in the state, under ignore_changes', async () => {
    const ignoring = '  lifecycle {\n    ignore_changes = [start_date, end_date, description]\n  }\n'
    const here = await applied(migration())
    const { id } = await here.state('maintenance_window.migration')
    await here.expect(0, 'state', 'rm', 'deploymgmt_maintenance_window.migration')
    await here.configure(migration({}, ignoring))
    await here.expect(
      0,
      'import',
      'deploymgmt_maintenance_window.migration',
      `5c8100bcf2a30b12ff88258f/${id}`,
    )
    expect((await here.apply()).said).toContain('1 changed')
    expect(await here.state('maintenance_window.migration')).toMatchObject({ start_date: null })
    await here.expectNoChanges()
  })
})
