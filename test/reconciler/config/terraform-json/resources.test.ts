import { TerraformElement, TerraformStack, Testing } from 'cdktf'
import { Construct } from 'constructs'
import { expect, test } from 'vitest'
import { HEAD, lines, loadFiles, loadText, refusal } from '../support/manifests.ts'
import {
  loadStack,
  refusalsOf,
  madeBy,
  ORG,
  PASSWORD_VARIABLE,
  PROJECT,
  stackWith,
  USER,
  WINDOW,
  windowOf,
} from './stack.ts'

const resource = {
  deploymgmt_api_key: {
    reporting: {
      ...madeBy('acme-production/reporting'),
      org_id: ORG,
      api_key_id: '5c47503320eef5699e1cce8f',
      desc: 'Reporting',
      roles: ['ORG_MEMBER'],
      access_list: ['192.0.2.0/24'],
    },
  },
  deploymgmt_user: {
    dana: USER,
    sam: { user_id: '5d2e1f0a9b8c7d6e5f4a3b2c', roles_complete: true, roles: [], on_remove: 'revoke' },
  },
  deploymgmt_alert_configuration: {
    'host-down': {
      project_id: PROJECT,
      select: { event_type_name: 'HOST_DOWN', matchers: [{ field_name: 'TYPE_NAME', value: 'MONGOS' }] },
      enabled: true,
    },
    noisy: {
      project_id: PROJECT,
      alert_config_id: '5d1113b25a115342acc2d1aa',
      enabled: false,
      on_remove: 'restore',
    },
  },
  deploymgmt_maintenance_window: { migration: { ...WINDOW, description: 'Storage' } },
  deploymgmt_integration: {
    paging: { project_id: PROJECT, type: 'PAGING', ensure: 'present' },
    others: { project_id: PROJECT, only: ['PAGING', 'WEBHOOK'] },
  },
}

const manifest = `version: 1
name: acme-production
defaults: { orgId: ${ORG}, projectId: ${PROJECT} }
apiKeys:
  reporting:
    apiKeyId: 5c47503320eef5699e1cce8f
    desc: Reporting
    roles: [ORG_MEMBER]
    accessList: [192.0.2.0/24]
users:
  dana:
    username: dana@example.com
    emailAddress: dana@example.com
    firstName: Dana
    lastName: Reyes
    mobileNumber: "2125550198"
    password: { env: TF_VAR_dana_password }
    roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }, { roleName: GROUP_READ_ONLY, projectId: ${PROJECT} }]
  sam: { userId: 5d2e1f0a9b8c7d6e5f4a3b2c, rolesComplete: true, roles: [], onRemove: revoke }
alertConfigurations:
  host-down:
    select: { eventTypeName: HOST_DOWN, matchers: [{ fieldName: TYPE_NAME, value: MONGOS }] }
    enabled: true
  noisy: { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: false, onRemove: restore }
maintenanceWindows:
  migration: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: Storage }
integrations:
  paging: { type: PAGING, ensure: present }
  others: { only: [PAGING, WEBHOOK] }
`

const withoutPlaces = ({ declaration }: Awaited<ReturnType<typeof loadText>>): unknown => ({
  ...declaration,
  entries: declaration.entries.map((entry) => ({ ...entry, declaredAt: undefined, secretsAt: undefined })),
})

test('a stack with every resource is the same declaration as the manifest that says the same', async () => {
  const stack = await loadStack({ resource, variable: PASSWORD_VARIABLE })
  expect(withoutPlaces(stack)).toEqual(withoutPlaces(await loadText(manifest)))
  expect(stack.warnings).toEqual([])
})

test('an entry knows the line and the column of its resource', async () => {
  const { declaration } = await loadStack(windowOf())
  const line =
    stackWith(windowOf())
      .split('\n')
      .findIndex((text) => text.includes('"w":')) + 1
  expect(declaration.entries[0]?.declaredAt).toEqual({ file: 'cdk.tf.json', line, column: 7 })
})

test.each([true, 'true'])(
  'prevent_destroy = %j is protect, and ignore_changes ignoreChanges; null leaves an attribute out',
  async (keeps) => {
    const lifecycle = {
      prevent_destroy: keeps,
      create_before_destroy: true,
      ignore_changes: ['description', 'alert_type_names'],
    }
    const { declaration } = await loadStack(windowOf({ lifecycle, description: null, on_remove: null }))
    expect(declaration.entries[0]).toMatchObject({
      protect: true,
      ignoreChanges: ['description', 'alertTypeNames'],
      onRemove: 'end',
    })
    expect(declaration.entries[0]?.values).not.toHaveProperty('description')
  },
)

test.each(['all', ['all']])('ignore_changes = %j is every attribute that is compared', async (all) => {
  const { declaration } = await loadStack(windowOf({ lifecycle: { ignore_changes: all } }))
  expect(declaration.entries[0]?.ignoreChanges).toEqual([
    'alertTypeNames',
    'startDate',
    'endDate',
    'description',
  ])
})

test('allow speaks for its resource alone', async () => {
  const { declaration } = await loadStack({
    resource: {
      deploymgmt_integration: {
        a: { project_id: PROJECT, only: ['PAGING'], allow: ['delete'] },
        b: { project_id: '5c8100bcf2a30b12ff882590', only: [] },
      },
    },
  })
  expect(declaration.entries.map(({ allow }) => allow)).toEqual([['--allow-delete'], undefined])
})

test('the order of writing, outputs and comments are no part of a declaration', async () => {
  const plain = await loadStack(windowOf())
  const { declaration } = await loadStack({
    ...windowOf({
      ...madeBy('acme-production/w'),
      depends_on: ['deploymgmt_user.dana'],
      provider: 'deploymgmt',
    }),
    output: { id: { value: '${jsonencode(deploymgmt_maintenance_window.w)}', sensitive: true } },
  })
  expect(withoutPlaces({ ...plain, declaration })).toEqual(withoutPlaces(plain))
})

test.each([
  ['1.0', '1'],
  ['1e3', '1000'],
  ['1e+21', '1000000000000000000000'],
  ['12345678901234567890123', '12345678901234567890123'],
  ['true', 'true'],
])('the plain value %s becomes the text that Terraform makes of it', async (value, text) => {
  const stack = stackWith(windowOf({ description: 'HERE' })).replace('"HERE"', value)
  const { declaration } = await loadFiles({ 'cdk.tf.json': stack })
  expect(declaration.entries[0]?.values['description']).toBe(text)
})

test.each([
  ['true', true],
  ['1', true],
  ['0', false],
])('the text %j is a boolean where one is declared, as in Terraform', async (enabled, value) => {
  const configuration = { project_id: PROJECT, alert_config_id: '5d1113b25a115342acc2d1aa', enabled }
  const { declaration } = await loadStack({
    resource: { deploymgmt_alert_configuration: { a: configuration } },
  })
  expect(declaration.entries[0]?.values['enabled']).toBe(value)
})

test('what a manifest would refuse is refused here, with the JSON path, the line and the construct', async () => {
  const parts = {
    resource: {
      deploymgmt_user: {
        dana: {
          ...USER,
          ...madeBy('acme-production/team/dana'),
          roles: [{ role_name: 'ORG_MEMBR', org_id: ORG }],
        },
      },
      deploymgmt_maintenance_window: { w: { ...WINDOW, end_date: WINDOW.start_date } },
    },
    variable: PASSWORD_VARIABLE,
  }
  const { findings } = await refusal(loadStack(parts))
  const line =
    stackWith(parts)
      .split('\n')
      .findIndex((text) => text.includes('ORG_MEMBR')) + 1
  expect(lines(findings)).toEqual([
    `${line}:26 resource.deploymgmt_user.dana.roles[0].role_name: "ORG_MEMBR" is not a role (construct acme-production/team/dana) → ORG_MEMBER`,
    expect.stringMatching(
      /^\d+:21 resource\.deploymgmt_maintenance_window\.w\.end_date: the window ends at .*, which is not after its start$/,
    ),
  ])
})

test('a scope that is missing is not taken from elsewhere, since the provider demands it', async () => {
  const { project_id: _, ...rest } = WINDOW
  const { findings } = await refusal(loadStack({ resource: { deploymgmt_maintenance_window: { w: rest } } }))
  expect(findings[0]).toMatchObject({
    path: 'resource.deploymgmt_maintenance_window.w',
    message: 'project_id is missing',
  })
})

test('names of the provider’s projects are not suggested, since a stack takes only ids', async () => {
  const { project_id: _, ...rest } = WINDOW
  const provider = { deploymgmt: [{ org_id: ORG, projects: { payments: PROJECT } }] }
  const user = { ...USER, roles: [{ role_name: 'GROUP_READ_ONLY' }] }
  const declared = { deploymgmt_maintenance_window: { w: rest }, deploymgmt_user: { dana: user } }
  const refused = await refusalsOf({ provider, variable: PASSWORD_VARIABLE, resource: declared })
  expect(refused).toEqual([
    'resource.deploymgmt_maintenance_window.w: project_id is missing',
    'resource.deploymgmt_user.dana.roles[0]: GROUP_READ_ONLY needs project_id',
  ])
})

test('an error calls attributes and other resources as the stack spells them', async () => {
  const { last_name: _, ...user } = USER
  const key = { org_id: ORG, api_key_id: '5c47503320eef5699e1cce8f' }
  const wrong = {
    deploymgmt_alert_configuration: { all: { project_id: PROJECT, enabled: true } },
    deploymgmt_api_key: { one: key, other: key },
    deploymgmt_user: {
      dana: { ...user, roles: [{ org_id: ORG }, { role_name: 'GLOBAL_OWNER', org_id: ORG }] },
    },
  }
  expect(await refusalsOf({ variable: PASSWORD_VARIABLE, resource: wrong })).toEqual([
    'resource.deploymgmt_alert_configuration.all: give one of alert_config_id and select: exactly one of them says what is declared',
    'resource.deploymgmt_api_key.other.api_key_id: resource.deploymgmt_api_key.one declares the same api_key_id; one thing has one entry',
    'resource.deploymgmt_user.dana: last_name is missing; or, to adopt one that exists, give user_id',
    'resource.deploymgmt_user.dana.roles[0]: role_name is missing',
    'resource.deploymgmt_user.dana.roles[1].org_id: GLOBAL_OWNER takes no org_id',
  ])
})

test('what stands in place of a mapping is told its attributes as the stack spells them', async () => {
  const configuration = { project_id: PROJECT, enabled: true }
  const { findings } = await refusal(
    loadStack({
      variable: PASSWORD_VARIABLE,
      resource: {
        deploymgmt_alert_configuration: { all: { ...configuration, select: 'HOST_DOWN' } },
        deploymgmt_user: { dana: { ...USER, roles: ['ORG_OWNER'] } },
      },
    }),
  )
  expect(findings.map(({ allowed }) => allowed)).toEqual([
    ['event_type_name', 'metric_name', 'matchers', 'created_before'],
    ['role_name', 'org_id', 'project_id'],
  ])
})

test('the name of a project in place of its id does not look like an id, and the id is suggested', async () => {
  const provider = { deploymgmt: [{ org_id: ORG, projects: { payments: PROJECT } }] }
  const windows = { w: { ...WINDOW, project_id: 'payments' }, other: { ...WINDOW, project_id: 'paymnts' } }
  const { warnings } = await loadStack({ provider, resource: { deploymgmt_maintenance_window: windows } })
  expect(warnings.map(({ path, message, suggestion }) => [path, message, suggestion])).toEqual([
    [
      'resource.deploymgmt_maintenance_window.w.project_id',
      '"payments" does not look like an id of this API; those are 24 hexadecimal digits',
      PROJECT,
    ],
    [
      'resource.deploymgmt_maintenance_window.other.project_id',
      '"paymnts" does not look like an id of this API; those are 24 hexadecimal digits',
      undefined,
    ],
  ])
})

test('a manifest in JSON is still a manifest', async () => {
  const { declaration } = await loadFiles({ 'm.json': JSON.stringify({ version: 1, name: 'acme' }) })
  expect(declaration.name).toBe('acme')
  await expect(loadText(HEAD)).resolves.toMatchObject({ declaration: { name: 'acme' } })
})

test('a date may be a local time with its zone, which Terraform refuses', async () => {
  const { declaration } = await loadStack(windowOf({ start_date: '2035-01-06T03:00:00[Europe/Madrid]' }))
  expect(declaration.entries[0]?.values).toMatchObject({ startDate: '2035-01-06T02:00:00Z' })
})

test('a name is as long as bindings make that of a construct deep in a tree', async () => {
  const stack = new TerraformStack(Testing.app(), 'acme-production')
  const deep = Array.from({ length: 30 }, (_, level) => `level-of-a-tree-${level}`).reduce<Construct>(
    (scope, id) => new Construct(scope, id),
    stack,
  )
  const name = TerraformStack.of(deep).getLogicalId(new TerraformElement(deep, 'patching'))
  expect(name.length).toBeGreaterThan(240)
  const { declaration } = await loadStack({ resource: { deploymgmt_maintenance_window: { [name]: WINDOW } } })
  expect(declaration.entries.map(({ address }) => address)).toEqual([`maintenanceWindows.${name}`])
})
