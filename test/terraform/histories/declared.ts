/** What a history declares at one moment, and the configuration that declares it. */
import { ORG, PASSWORD, PROJECT } from '../../support/installation.ts'
import { LEDGER, PAT, REPORTER } from '../../support/people.ts'
import { resource, text } from '../support/hcl.ts'

export const CONFIGS = [
  '5d1113b25a115342acc2d0f3',
  '5d1113b25a115342acc2d1aa',
  '5d1113b25a115342acc2d1ab',
] as const
export const TYPES = ['HOST_DOWN', 'HOST_DOWN', 'REPLICA_SET'] as const

/** Nobody ever declares this one. */
export const BYSTANDER = '5d1113b25a115342acc2d1ff'

export interface Config {
  readonly index: number
  readonly enabled: boolean
  readonly onRemove: 'forget' | 'restore'
}

export interface Window {
  readonly project: 'payments' | 'ledger'
  readonly types: readonly string[]
  /** Days from the beginning of the history. */
  readonly day: number
  readonly hours: number
  /** What has one is never declared without it: the service cannot remove it. */
  readonly description: string | undefined
  readonly onRemove: 'end' | 'forget'
}

export interface User {
  readonly roles: readonly Role[]
  readonly onRemove: 'forget' | 'revoke'
}

export const ROLES = {
  member: { roleName: 'ORG_MEMBER', orgId: ORG },
  reader: { roleName: 'GROUP_READ_ONLY', groupId: PROJECT },
  creator: { roleName: 'ORG_GROUP_CREATOR', orgId: ORG },
} as const
export type Role = keyof typeof ROLES

type Named<T> = Readonly<Partial<Record<string, T>>>

export interface Declared {
  readonly configs: Named<Config>
  /** Every configuration of the type HOST_DOWN. */
  readonly selected: Omit<Config, 'index'> | undefined
  readonly windows: Named<Window>
  readonly key: { readonly desc: string; readonly role: string } | undefined
  /** To be created. */
  readonly dana: User | undefined
  /** To be adopted. */
  readonly pat: User | undefined
  readonly chat: 'present' | 'absent' | undefined
  /** Renames since the last apply that ended well: `[from, to]` of a window. */
  readonly moved: readonly (readonly [string, string])[]
}

export const PROJECTS = { payments: PROJECT, ledger: LEDGER } as const

/** On whole seconds, as the service tells it. */
const EPOCH = Math.floor(Date.now() / 1000) * 1000
const HOUR = 3_600_000
const instant = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

/** The values of a window at the service. */
export const windowValues = ({ types, day, hours, description }: Window) => ({
  alertTypeNames: types.toSorted(),
  startDate: instant(EPOCH + day * 24 * HOUR),
  endDate: instant(EPOCH + (day * 24 + hours) * HOUR),
  description,
})

const roleList = (roles: readonly Role[]): string =>
  `[${roles
    .map((role) => {
      const { roleName, ...where } = ROLES[role]
      const place = 'orgId' in where ? `org_id = "${where.orgId}"` : `project_id = "${where.groupId}"`
      return `{ role_name = "${roleName}", ${place} }`
    })
    .join(', ')}]`

const projectId = text(PROJECT)

const named = <T>(values: Named<T>, write: (name: string, value: NonNullable<T>) => string): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [write(name, value)],
  )

const config = (name: string, { index, enabled, onRemove }: Config): string =>
  resource('alert_configuration', name, {
    project_id: projectId,
    alert_config_id: text(CONFIGS[index] ?? ''),
    enabled: String(enabled),
    on_remove: text(onRemove),
  })

const window = (name: string, declared: Window): string => {
  const { alertTypeNames, startDate, endDate, description } = windowValues(declared)
  return resource('maintenance_window', name, {
    project_id: text(PROJECTS[declared.project]),
    alert_type_names: JSON.stringify(alertTypeNames),
    start_date: text(startDate),
    end_date: text(endDate),
    ...(description === undefined ? {} : { description: text(description) }),
    on_remove: text(declared.onRemove),
  })
}

const user = (name: string, { roles, onRemove }: User, who: Readonly<Record<string, string>>): string =>
  resource('user', name, { ...who, roles: roleList(roles), on_remove: text(onRemove) })

const DANA = {
  username: '"dana@example.com"',
  email_address: '"dana@example.com"',
  first_name: '"Dana"',
  last_name: '"Reyes"',
  mobile_number: '"2125550198"',
  password: text(PASSWORD),
}

/** The configuration, without that of the provider. */
export const hclOf = ({ configs, selected, windows, key, dana, pat, chat, moved }: Declared): string =>
  [
    ...named(configs, config),
    ...named({ all: selected }, (name, { enabled, onRemove }) =>
      resource('alert_configuration', name, {
        project_id: projectId,
        select: '{ event_type_name = "HOST_DOWN" }',
        enabled: String(enabled),
        on_remove: text(onRemove),
      }),
    ),
    ...named(windows, window),
    ...named({ reporting: key }, (name, { desc, role }) =>
      resource('api_key', name, {
        org_id: text(ORG),
        api_key_id: text(REPORTER),
        desc: text(desc),
        roles: `[${text(role)}]`,
      }),
    ),
    ...named({ dana }, (name, value) => user(name, value, DANA)),
    ...named({ pat }, (name, value) => user(name, value, { user_id: text(PAT), roles_complete: 'true' })),
    ...named({ chat }, (name, ensure) =>
      resource('integration', name, { project_id: projectId, type: '"CHAT_A"', ensure: text(ensure) }),
    ),
    ...moved.map(
      ([from, to]) =>
        `moved {\n  from = deploymgmt_maintenance_window.${from}\n  to = deploymgmt_maintenance_window.${to}\n}\n`,
    ),
  ].join('\n')

/** The addresses that are declared. */
export const addressesOf = ({ configs, selected, windows, key, dana, pat, chat }: Declared): string[] => [
  ...named(configs, (name) => `alert_configuration.${name}`),
  ...named({ all: selected }, (name) => `alert_configuration.${name}`),
  ...named(windows, (name) => `maintenance_window.${name}`),
  ...named({ reporting: key }, (name) => `api_key.${name}`),
  ...named({ dana, pat }, (name) => `user.${name}`),
  ...named({ chat }, (name) => `integration.${name}`),
]

/** The configurations at the service that an address stands for. */
export const configsAt = ({ configs, selected }: Declared, address: string): readonly string[] => {
  const name = address.replace('alert_configuration.', '')
  if (name === 'all') return selected === undefined ? [] : CONFIGS.slice(0, 2)
  const id = CONFIGS[configs[name]?.index ?? -1]
  return id === undefined ? [] : [id]
}
