import { describe, expect, it, test } from 'vitest'
import { loadStack, ORG, PROJECT, refusalsOf, USER, WINDOW, windowOf } from './stack.ts'

const W = 'resource.deploymgmt_maintenance_window.w'
const settings = (more: object) => ({ terraform: { required_providers: {}, ...more } })
const dataWith = (body: object) => ({
  data: { deploymgmt_alerts: { open: { project_id: PROJECT, ...body } } },
})

test.each([
  [{ resource: [{}] }, 'resource: resource is one mapping here'],
  [{ resource: 'x' }, 'resource: resource is one mapping here'],
  [{ resource: null }, 'resource: resource is one mapping here'],
  [{ resource: { deploymgmt_user: null } }, 'resource.deploymgmt_user: deploymgmt_user is one mapping here'],
  [{ data: [{ aws_ami: { x: {} } }] }, 'data: data is one mapping here'],
  [{ provider: [{ aws: [{}] }] }, 'provider: provider is one mapping here'],
  [{ locals: [{ a: 'x' }] }, 'locals: locals is one mapping here'],
  [{ module: { m: {} } }, 'module: modules are put together by Terraform'],
  [{ moved: [] }, 'moved: moved blocks are for Terraform’s state'],
  [{ import: [{ id: 'x', to: 'y' }] }, 'import: import blocks are for Terraform’s state'],
  [{ removed: [] }, 'removed: removed blocks are for Terraform’s state'],
  [{ check: {} }, 'check: checks are worked out by Terraform'],
  [{ ephemeral: {} }, 'ephemeral: only Terraform opens ephemeral resources'],
  [{ resources: {} }, 'resources: a Terraform configuration has no resources → resource'],
  [
    { resource: { aws_instance: { x: {} } } },
    'resource.aws_instance: aws_instance is a resource of another provider',
  ],
  [
    { resource: { deploymgmt_users: { x: {} } } },
    'resource.deploymgmt_users: deploymgmt has no resource deploymgmt_users → deploymgmt_user',
  ],
  [{ resource: { deploymgmt_user: [] } }, 'resource.deploymgmt_user: deploymgmt_user is one mapping here'],
  [{ resource: { deploymgmt_user: { x: [] } } }, 'resource.deploymgmt_user.x: a resource is a mapping'],
  [windowOf({ count: 2 }), `${W}.count: count is worked out by Terraform`],
  [windowOf({ for_each: { a: 1 } }), `${W}.for_each: for_each is worked out by Terraform`],
  [
    windowOf({ constructor: {} }),
    `${W}.constructor: deploymgmt_maintenance_window has no attribute constructor`,
  ],
  [windowOf({ lifecycle: { toString: 1 } }), `${W}.lifecycle.toString: lifecycle has no toString`],
  [{ valueOf: {} }, 'valueOf: a Terraform configuration has no valueOf'],
  [windowOf({ dynamic: {} }), `${W}.dynamic: dynamic blocks are worked out by Terraform`],
  [windowOf({ provisioner: [] }), `${W}.provisioner: only Terraform runs provisioners`],
  [windowOf({ connection: {} }), `${W}.connection: connections are for provisioners`],
  [windowOf({ provider: 'aws.west' }), `${W}.provider: this provider is not deploymgmt`],
  [
    windowOf({ lifecycle: { replace_triggered_by: [] } }),
    `${W}.lifecycle.replace_triggered_by: nothing is replaced here`,
  ],
  [
    windowOf({ lifecycle: { precondition: [] } }),
    `${W}.lifecycle.precondition: conditions are worked out by Terraform`,
  ],
  [
    windowOf({ lifecycle: { postcondition: [] } }),
    `${W}.lifecycle.postcondition: conditions are worked out by Terraform`,
  ],
  [
    windowOf({ lifecycle: { prevent: true } }),
    `${W}.lifecycle.prevent: lifecycle has no prevent → prevent_destroy`,
  ],
  [
    { provider: { deploymgmt: [{ projects: { payments: PROJECT, again: PROJECT } }] } },
    'provider.deploymgmt.projects.again: provider.deploymgmt.projects.payments already has this id',
  ],
  [
    windowOf({ lifecycle: { prevent_destroy: 'x' } }),
    `${W}.lifecycle.prevent_destroy: "x" is not true or false`,
  ],
  [
    { ...windowOf({ lifecycle: { prevent_destroy: '${var.keep}' } }), variable: { keep: { type: 'bool' } } },
    `${W}.lifecycle.prevent_destroy: Terraform takes no reference here: write true or false`,
  ],
  [
    windowOf({ lifecycle: { ignore_changes: ['descripton'] } }),
    `${W}.lifecycle.ignore_changes[0]: descripton is not an attribute that is compared → description`,
  ],
  [
    {
      resource: {
        deploymgmt_alert_configuration: {
          a: { project_id: PROJECT, alert_config_id: PROJECT, enabled: true, threshold: 900 },
        },
      },
    },
    `resource.deploymgmt_alert_configuration.a.threshold: deploymgmt_alert_configuration has no attribute threshold: all that this API can change in an alert configuration is whether it is enabled. By hand: Project ${PROJECT} → Alerts → Alert Settings.`,
  ],
  [
    {
      variable: { project: { default: PROJECT } },
      resource: {
        deploymgmt_alert_configuration: {
          a: { project_id: '${var.project}', alert_config_id: PROJECT, enabled: true, threshold: 900 },
        },
      },
    },
    'resource.deploymgmt_alert_configuration.a.threshold: deploymgmt_alert_configuration has no attribute threshold: all that this API can change in an alert configuration is whether it is enabled',
  ],
  [windowOf({ schedule: {} }), `${W}.schedule: deploymgmt_maintenance_window has no attribute schedule`],
  [windowOf({ protect: true }), `${W}.protect: deploymgmt_maintenance_window has no attribute protect`],
  [
    windowOf({ descripton: 'x' }),
    `${W}.descripton: deploymgmt_maintenance_window has no attribute descripton → description`,
  ],
  [
    windowOf({ startDate: 'x' }),
    `${W}.startDate: deploymgmt_maintenance_window has no attribute startDate → start_date`,
  ],
  [windowOf({ id: 'x' }), `${W}.id: id is set by the service, and never declared`],
  [windowOf({ ended: false }), `${W}.ended: ended is set by the service, and never declared`],
  [windowOf({ on_remove: 'stop' }), `${W}.on_remove: "stop" is not a way of removal`],
  [windowOf({ allow: ['deletion'] }), `${W}.allow[0]: "deletion" cannot be allowed`],
  [
    {
      resource: { deploymgmt_user: { x: { ...USER, roles: [{ role_nam: 'ORG_MEMBER', org_id: ORG }] } } },
      variable: { dana_password: {} },
    },
    'resource.deploymgmt_user.x.roles[0].role_nam: there is no attribute role_nam here → role_name',
  ],
  [
    {
      resource: { deploymgmt_user: { x: { ...USER, roles: [{ roleName: 'ORG_MEMBER', org_id: ORG }] } } },
      variable: { dana_password: {} },
    },
    'resource.deploymgmt_user.x.roles[0].roleName: there is no attribute roleName here → role_name',
  ],
  [{ provider: { aws: [{}] } }, 'provider.aws: aws is another provider'],
  [
    { provider: { deploymgmt: [{}, { alias: 'b' }] } },
    'provider.deploymgmt[1]: a stack is about one service here',
  ],
  [
    { provider: { deploymgmt: [{ base_uri: 'x' }] } },
    'provider.deploymgmt[0].base_uri: the provider has no attribute base_uri → base_url',
  ],
  [
    { provider: { deploymgmt: [{ private_key: 'canary' }] } },
    'provider.deploymgmt[0].private_key: a secret in a synthesized file is no longer secret',
  ],
  [
    settings({ required_providers: { aws: { source: 'hashicorp/aws' } } }),
    'terraform.required_providers.aws: aws is another provider',
  ],
  [settings({ experiments: [] }), 'terraform.experiments: experiments is only for Terraform'],
  [{ data: { aws_ami: {} } }, 'data.aws_ami: aws_ami is a data source of another provider'],
  [
    { data: { terraform_remote_state: {} } },
    'data.terraform_remote_state: this is how Terraform reads another stack; use the value itself in the program',
  ],
  [
    { data: { deploymgmt_alert_s: {} } },
    'data.deploymgmt_alert_s: deploymgmt has no data source deploymgmt_alert_s',
  ],
  [
    { data: { deploymgmt_agents: { n: { project_id: PROJECT } } } },
    'data.deploymgmt_agents.n: type is required',
  ],
  [
    { data: { deploymgmt_organization_events: { all: { org_id: ORG, limit: null } } } },
    'data.deploymgmt_organization_events.all: min_date or limit is required: otherwise each plan would read everything ever recorded',
  ],
  [
    {
      data: { deploymgmt_organization_events: { all: { org_id: ORG, limit: '${local.none}' } } },
      locals: { none: null },
    },
    'data.deploymgmt_organization_events.all: min_date or limit is required',
  ],
  [
    { data: { deploymgmt_agents: { n: { project_id: PROJECT, type: 'MON' } } } },
    'data.deploymgmt_agents.n.type: type "MON" is no',
  ],
  [
    dataWith({ status: '${lower("X")}' }),
    'data.deploymgmt_alerts.open.status: ${lower("X")} is a function of Terraform',
  ],
  [
    dataWith({ projectid: 'x' }),
    'data.deploymgmt_alerts.open.projectid: deploymgmt_alerts has no argument projectid → project_id',
  ],
  [dataWith({ count: 1 }), 'data.deploymgmt_alerts.open.count: count is worked out by Terraform'],
  [{ '//': undefined }, '//.metadata.stackName: the name of the stack is missing'],
])('%j is refused at its JSON path', async (parts, message) => {
  const found = await refusalsOf(parts)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(message)
  expect(found[0]).not.toContain('canary')
})

test('all refusals are said at once', async () => {
  const found = await refusalsOf({
    module: {},
    resource: { null_resource: {}, deploymgmt_maintenance_window: { w: { ...WINDOW, count: 2, id: 'x' } } },
  })
  expect(found).toHaveLength(4)
})

test('a data source that nothing refers to is checked, and not read', async () => {
  await expect(loadStack({ ...windowOf(), ...dataWith({ status: 'OPEN' }) })).resolves.toBeDefined()
})

const env = {
  DEPLOYMGMT_BASE_URL: 'https://dm.example.com/api/public/v1.0',
  DEPLOYMGMT_PUBLIC_KEY: 'ciadmin',
}
const provider = (block: object) => ({ provider: { deploymgmt: [block] } })

test('a service that is not the one of the environment is refused, unless it is a rehearsal', async () => {
  const other = provider({ base_url: 'https://other.example.com/api/public/v1.0', public_key: 'someone' })
  expect(await refusalsOf(other, { env })).toEqual([
    'provider.deploymgmt[0].base_url: "https://other.example.com/api/public/v1.0" is not what DEPLOYMGMT_BASE_URL says: "https://dm.example.com/api/public/v1.0"',
    'provider.deploymgmt[0].public_key: "someone" is not what DEPLOYMGMT_PUBLIC_KEY says: "ciadmin"',
  ])
  await expect(loadStack(other, { env, rehearsal: true })).resolves.toBeDefined()
  await expect(loadStack(other)).resolves.toBeDefined()
})

test('the same service in another spelling, and credentials from variables, are fine', async () => {
  const same = provider({
    base_url: '${var.url}',
    public_key: '${var.key}',
    private_key: '${var.secret}',
    ca_file: '/etc/ca.pem',
    concurrency: 4,
  })
  const variable = {
    url: { default: 'https://DM.example.com:443/api/public/v1.0/' },
    key: { type: 'string' },
    secret: { sensitive: true },
  }
  await expect(loadStack({ ...same, variable }, { env })).resolves.toBeDefined()
})

const orgIdsOf = async (org_id: unknown, variable = {}) =>
  (await loadStack({ ...windowOf(), ...provider({ org_id }), variable })).declaration.orgIds

describe('the organization of the provider', () => {
  it('is where events are looked for', async () => {
    const { declaration } = await loadStack(windowOf())
    expect(declaration.orgIds).toEqual([ORG])
  })

  it('is an id as the service writes it', async () => {
    expect(await orgIdsOf(ORG.toUpperCase())).toEqual([ORG])
  })

  it('that is an empty text is omitted, as with Terraform', async () => {
    expect(await orgIdsOf('')).toEqual([])
    expect(await orgIdsOf('${var.org}', { org: { default: '' } })).toEqual([])
  })

  it.each([
    ['a/b', '"a/b" cannot be an id: an id is one part of a path'],
    ['..', '".." cannot be an id: an id is one part of a path'],
    ['a\u202Eb', 'cannot be an id: an id is one part of a path'],
    ['${var.org}', 'cannot be an id: an id is one part of a path'],
    [[ORG], 'a list stands where an id is expected'],
  ])('is refused if it is none: %j', async (org_id, message) => {
    const found = await refusalsOf({ ...provider({ org_id }), variable: { org: { default: 'a b' } } })
    expect(found).toEqual([expect.stringContaining(`provider.deploymgmt[0].org_id: `)])
    expect(found[0]).toContain(message)
  })

  it('unlike all that were met is a warning', async () => {
    const { warnings } = await loadStack(provider({ org_id: 'acme' }))
    expect(warnings.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'provider.deploymgmt[0].org_id: "acme" does not look like an id of this API; those are 24 hexadecimal digits',
    ])
  })
})

test('an empty text in the provider counts as omitted, as with Terraform', async () => {
  const empty = { base_url: '', public_key: '', private_key: '', ca_file: '', projects: { payments: '' } }
  const { declaration } = await loadStack({ ...windowOf(), ...provider(empty) }, { env })
  expect(declaration.projectNames).toEqual(new Map())
})

test.each([['org_id'], ['base_url'], ['public_key'], ['ca_file'], ['projects']])(
  'a local that is null in the provider omits %s, as with Terraform',
  async (attribute) => {
    const block = { [attribute]: '${local.none}' }
    const { declaration } = await loadStack(
      { ...windowOf(), ...provider(block), locals: { none: null } },
      { env },
    )
    expect(declaration).toMatchObject({ orgIds: [], projectNames: new Map() })
  },
)
