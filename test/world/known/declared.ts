import { manifestWith } from '../../support/installation.ts'
import { BOUND, CALLER, CONFIGS, LEDGER, ORG, PAT, PROJECT, REPORTER } from '../fixture.ts'

export interface DeclaredConfig {
  /** Its place in `CONFIGS`. */
  readonly index: number
  readonly enabled: boolean
  readonly onRemove: 'forget' | 'restore'
  readonly isIgnored: boolean
  readonly protect?: boolean
}

interface Selected extends Pick<DeclaredConfig, 'enabled' | 'onRemove'> {
  readonly isBound?: boolean
}

/** The configurations that the selector stands for. */
export const selectedBy = (selected: Selected | undefined): readonly string[] =>
  selected === undefined ? [] : CONFIGS.slice(0, selected.isBound === true ? 1 : 2)

export interface DeclaredWindow {
  readonly project: 'payments' | 'ledger'
  readonly types: readonly string[]
  /** Hours since the epoch of the world. */
  readonly start: number
  readonly hours: number
  readonly description: string
  readonly onRemove: 'end' | 'forget'
  readonly protect: boolean
  /** The id of a window that somebody else has made. */
  readonly windowId?: string
}

export interface DeclaredUser {
  readonly roles: readonly Role[]
  readonly onRemove: 'forget' | 'revoke'
  /** The id of a user who exists already. */
  readonly userId?: string
}
export type Role = keyof typeof ROLES

type Named<T> = Readonly<Partial<Record<string, T>>>

/** What a history declares at one moment; entries have short names. */
export interface Declared {
  readonly configs: Named<DeclaredConfig>
  /** Every configuration of the type HOST_DOWN, or only those that were made before `BOUND`. */
  readonly selected: Selected | undefined
  /** By address: those of one entry for several projects are `NAME[PROJECT]`. */
  readonly windows: Named<DeclaredWindow>
  /** A window each week, on these days. */
  readonly weekly: readonly Day[] | undefined
  readonly key: { readonly desc: string; readonly role: string; readonly protect?: boolean } | undefined
  /** The key of the runs itself. */
  readonly caller?: { readonly desc?: string; readonly roles: readonly string[] } | undefined
  /** To be created, by name. */
  readonly users: Named<DeclaredUser>
  /** To be adopted. */
  readonly pat: DeclaredUser | undefined
  readonly chat: 'present' | 'absent' | undefined
  /** The only integrations that the other project may have. */
  readonly listed: readonly string[] | undefined
  /** Declares that nothing else uses the key. */
  readonly isKeyOwn?: true
  /** Nothing in the first project may be changed while an alert is open there. */
  readonly isGated?: true
  /** Where the states of other manifests are that use the same key. */
  readonly otherStates?: readonly string[]
  /** For a whole history, the manifest is split into two files, of which the later one overrides the earlier. */
  readonly isLayered?: boolean
}

export const HOUR = 3_600_000
export const EPOCH = Date.parse('2030-01-01T00:00:00Z')
const instant = (hours: number): string => new Date(EPOCH + hours * HOUR).toISOString().replace('.000Z', 'Z')

export const PROJECTS = { payments: PROJECT, ledger: LEDGER } as const

/** 2030-01-01, the epoch, is a Tuesday. */
const DAYS = { WE: 1, SU: 5 } as const
export type Day = keyof typeof DAYS
const WEEK = 7 * 24
export const HORIZON = 14 * 24
export const OCCURRENCE_HOURS = 2

/** The starts of the occurrences within these hours, in hours since the epoch. */
export const occurrences = (days: readonly Day[], from: number, to: number): number[] =>
  days.flatMap((day) =>
    Array.from({ length: 60 }, (_, week) => DAYS[day] * 24 + week * WEEK + 2).filter(
      (start) => start > from && start <= to,
    ),
  )

export const ROLES = {
  member: { roleName: 'ORG_MEMBER', orgId: ORG },
  reader: { roleName: 'GROUP_READ_ONLY', projectId: PROJECT },
  creator: { roleName: 'ORG_GROUP_CREATOR', orgId: ORG },
} as const

export const windowValues = ({
  types,
  start,
  hours,
  description,
}: Pick<DeclaredWindow, 'types' | 'start' | 'hours' | 'description'>) => ({
  alertTypeNames: types.toSorted(),
  startDate: instant(start),
  endDate: instant(start + hours),
  description,
})

const listed = <T>(values: Named<T>, line: (value: T, name: string) => object): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [entry(name, line(value, name))]))
    .join('\n')

/** The entry that an address belongs to. */
export const entryOf = (name: string): string => name.replace(/\[.*/, '')

/** One entry for each name; what `NAME[PROJECT]` declares differs only in the project. */
const windowEntries = (windows: Declared['windows']): string => {
  const all = Object.entries(windows).flatMap(([name, each]) => (each === undefined ? [] : [{ name, each }]))
  return [...Map.groupBy(all, ({ name }) => entryOf(name))]
    .flatMap(([called, [first, ...others]]) =>
      first === undefined
        ? []
        : [
            entry(
              called,
              windowEntry(
                first,
                [first, ...others].map(({ each }) => each),
              ),
            ),
          ],
    )
    .join('\n')
}

const windowEntry = (
  { name, each }: { readonly name: string; readonly each: DeclaredWindow },
  all: readonly DeclaredWindow[],
): object => ({
  ...windowValues(each),
  ...(name === entryOf(name)
    ? { projectId: PROJECTS[each.project] }
    : { projectIds: all.map(({ project }) => PROJECTS[project]) }),
  onRemove: each.onRemove,
  ...protection(each),
  ...(each.windowId === undefined ? {} : { windowId: each.windowId }),
})

const entry = (name: string, values: object): string => `  ${name}: ${JSON.stringify(values)}`

const protection = ({ protect }: { readonly protect?: boolean | undefined }): object =>
  protect === true ? { protect } : {}

const lines = (...texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined && text !== '').join('\n')

const person = (name: string) => ({
  username: `${name}@example.com`,
  emailAddress: `${name}@example.com`,
  firstName: name,
  lastName: 'Reyes',
  mobileNumber: '2125550198',
  password: { env: 'DANA_INITIAL_PASSWORD' },
})

const adopted = (name: string, userId: string) => ({
  userId,
  username: `${name}@example.com`,
  rolesComplete: true,
})

const selectorOf = ({ isBound, ...values }: Selected): object => ({
  select: { eventTypeName: 'HOST_DOWN', ...(isBound === true ? { createdBefore: BOUND } : {}) },
  ...values,
})

const rolesOf = ({ roles, onRemove }: DeclaredUser) => ({ roles: roles.map((role) => ROLES[role]), onRemove })

export const manifestOf = (declared: Declared): string => {
  const { configs, selected, windows, weekly, key, caller, users, pat, chat, listed: only } = declared
  const gates = declared.isGated === true ? 'gates: { payments: [no-open-alerts] }\n' : ''
  const states =
    declared.otherStates === undefined ? '' : `otherStates: ${JSON.stringify(declared.otherStates)}\n`
  return `${gates}${states}${manifestWith({
    key: declared.isKeyOwn === true ? '  exclusive: true' : '',
    apiKeys: lines(
      key &&
        entry('reporting', {
          apiKeyId: REPORTER,
          desc: key.desc,
          roles: [key.role],
          ...protection(key),
        }),
      caller && entry('calling', { apiKeyId: CALLER, ...caller }),
    ),
    users: lines(
      listed(users, (user, name) => ({
        ...(user.userId === undefined ? person(name) : adopted(name, user.userId)),
        ...rolesOf(user),
      })),
      pat && entry('pat', { ...adopted('pat', PAT), ...rolesOf(pat) }),
    ),
    alertConfigurations: lines(
      listed(configs, ({ index, enabled, onRemove, isIgnored, protect }) => ({
        alertConfigId: CONFIGS[index],
        enabled,
        onRemove,
        ...(isIgnored ? { ignoreChanges: ['enabled'] } : {}),
        ...protection({ protect }),
      })),
      selected && entry('all', selectorOf(selected)),
    ),
    maintenanceWindows: lines(
      windowEntries(windows),
      weekly &&
        entry('weekly', {
          alertTypeNames: ['HOST'],
          description: 'weekly',
          schedule: {
            rrule: `FREQ=WEEKLY;BYDAY=${weekly.join(',')};BYHOUR=2;BYMINUTE=0;BYSECOND=0`,
            timezone: 'UTC',
            duration: `PT${OCCURRENCE_HOURS}H`,
            horizon: `PT${HORIZON}H`,
          },
        }),
    ),
    integrations: lines(
      chat && entry('chat', { type: 'CHAT_A', ensure: chat }),
      only && entry('listed', { projectId: LEDGER, only }),
    ),
  })}`
}
