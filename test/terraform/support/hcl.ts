/** Configurations that several tests begin with. The workspace fills in `ORG_ID` and `PROJECT_ID`. */
import { PASSWORD } from '../../support/installation.ts'

export const REPORTER = '5c47503320eef5699e1cce8f'
export const HOST_DOWN = '5d1113b25a115342acc2d0f3'
export const NOISY = '5d1113b25a115342acc2d1aa'

/** Attributes with their values as HCL. */
export type Attributes = Readonly<Record<string, string>>

/** `resource "deploymgmt_KIND" "NAME" { … }`; `blocks` follow the attributes. */
export const resource = (kind: string, name: string, attributes: Attributes, blocks = ''): string =>
  `resource "deploymgmt_${kind}" "${name}" {\n${Object.entries(attributes)
    .map(([key, value]) => `  ${key} = ${value}\n`)
    .join('')}${blocks}}\n`

export const text = (value: string): string => JSON.stringify(value)

export const apiKey = (more: Attributes = {}, blocks = ''): string =>
  resource(
    'api_key',
    'reporting',
    { org_id: '"ORG_ID"', api_key_id: text(REPORTER), desc: '"Reporting"', roles: '["ORG_MEMBER"]', ...more },
    blocks,
  )

export const user = (more: Attributes = {}, blocks = ''): string =>
  resource(
    'user',
    'dana',
    {
      username: '"dana@example.com"',
      email_address: '"dana@example.com"',
      first_name: '"Dana"',
      last_name: '"Reyes"',
      mobile_number: '"2125550198"',
      password: text(PASSWORD),
      roles:
        '[{ role_name = "ORG_MEMBER", org_id = "ORG_ID" }, { role_name = "GROUP_READ_ONLY", project_id = "PROJECT_ID" }]',
      ...more,
    },
    blocks,
  )

export const noisy = (more: Attributes = {}, blocks = ''): string =>
  resource(
    'alert_configuration',
    'noisy',
    { project_id: '"PROJECT_ID"', alert_config_id: text(NOISY), enabled: 'false', ...more },
    blocks,
  )

export const hostDown = (more: Attributes = {}, blocks = ''): string =>
  resource(
    'alert_configuration',
    'host_down',
    { project_id: '"PROJECT_ID"', select: '{ event_type_name = "HOST_DOWN" }', enabled: 'true', ...more },
    blocks,
  )

export const migration = (more: Attributes = {}, blocks = ''): string =>
  resource(
    'maintenance_window',
    'migration',
    {
      project_id: '"PROJECT_ID"',
      alert_type_names: '["HOST", "REPLICA_SET"]',
      start_date: '"2035-01-06T02:00:00Z"',
      end_date: '"2035-01-06T04:00:00Z"',
      description: '"Storage migration"',
      ...more,
    },
    blocks,
  )

export const integration = (name: string, more: Attributes, blocks = ''): string =>
  resource('integration', name, { project_id: '"PROJECT_ID"', ...more }, blocks)

export const paging = integration('paging', { type: '"PAGING"' })
export const oldChat = integration('old_chat', { type: '"CHAT_A"', ensure: '"absent"' })

/** One or two resources of each kind: what `manifestWith()` declares, as HCL. */
export const everyKind = (): string =>
  [
    apiKey({ access_list: '["192.0.2.0/24", "198.51.100.7"]' }),
    user(),
    hostDown(),
    noisy({ on_remove: '"restore"' }),
    migration(),
    paging,
    oldChat,
  ].join('\n')
