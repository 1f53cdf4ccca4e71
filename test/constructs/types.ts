/**
 * Code that must not compile. No test runs this file: the compiler checks it, and an expected error that does not occur
 * is an error itself.
 */
import {
  AlertConfiguration,
  AlertPolicy,
  IntegrationGuard,
  MaintenanceWindow,
  PROJECT_ROLES,
  ProjectBaseline,
  RecurringMaintenanceWindow,
  TeamRoles,
  User,
  type AgentType,
  type Baseline,
  type Person,
  type ProjectBaselineConfig,
  type ProjectRole,
  type RoleRow,
} from '@deploymgmt/constructs'
import { Construct } from 'constructs'

const projects = { payments: '5c8100bcf2a30b12ff88258f' }
const organizations = { acme: '5980cfdf0b6d97029d82f86e' }
const sam = { userId: '5d2e1f0a9b8c7d6e5f4a3b2c', rolesComplete: true } as const
const rule = {
  alertTypeNames: ['HOST'],
  rrule: 'FREQ=DAILY',
  timezone: 'Europe/Madrid',
  duration: 'PT2H',
  from: '2026-01-01',
  until: '2027-01-01',
} as const
const window = { ...rule, projectId: projects.payments } as const
const baseline = {
  alerts: { hostDown: { select: { eventTypeName: 'HOST_DOWN' }, enabled: true } },
  windows: { patching: rule },
} satisfies Baseline

export const roles = (scope: Construct): void => {
  const table = { organizations, projects, users: { sam } }
  new TeamRoles(scope, 'right', {
    ...table,
    roles: { sam: { acme: ['ORG_OWNER'], payments: ['GROUP_OWNER'] } },
  })
  // @ts-expect-error a misspelt role of an organization
  new TeamRoles(scope, 'id', { ...table, roles: { sam: { acme: ['ORG_OWNR'] } } })
  // @ts-expect-error a misspelt role of a project
  new TeamRoles(scope, 'id', { ...table, roles: { sam: { payments: ['GROUP_READONLY'] } } })
  // @ts-expect-error a role of another scope
  new TeamRoles(scope, 'id', { ...table, roles: { sam: { payments: ['ORG_OWNER'] } } })
  // @ts-expect-error a misspelt global role
  new TeamRoles(scope, 'id', { ...table, roles: { sam: { global: ['GLOBAL_ADMIN'] } } })
  // @ts-expect-error a project that is not in the table
  new TeamRoles(scope, 'id', { ...table, roles: { sam: { paymnts: ['GROUP_OWNER'] } } })
  // @ts-expect-error a person who is not among the users
  new TeamRoles(scope, 'id', { ...table, roles: { sam: {}, dana: {} } })
  // @ts-expect-error a user without a row
  new TeamRoles(scope, 'id', { ...table, roles: {} })
  // @ts-expect-error a way of removal of another kind
  new TeamRoles(scope, 'id', { ...table, roles: { sam: {} }, onRemove: 'restore' })
  // The bindings take any text, as Terraform does.
  new User(scope, 'user', { roles: [{ roleName: 'ORG_OWNR' }] })
}

/** As they come from a file of configuration: which columns belong to which scope is checked at synthesis. */
export const namesFromConfiguration = (scope: Construct): void => {
  const ids: Record<string, string> = { ...projects }
  const users: Record<string, Person> = { sam }
  const rows: Record<string, RoleRow> = { sam: { acme: ['ORG_OWNER'], payments: ['GROUP_OWNER'] } }
  new TeamRoles(scope, 'right', { organizations, projects: ids, users, roles: rows })
  new TeamRoles(scope, 'all', { organizations: ids, projects: ids, users, roles: rows })
  // @ts-expect-error a misspelt role
  new TeamRoles(scope, 'id', { projects: ids, users: { sam }, roles: { sam: { payments: ['GROUP_OWNR'] } } })
}

export const required = (scope: Construct): void => {
  const projectId = projects.payments
  // @ts-expect-error a configuration without `enabled`
  new AlertConfiguration(scope, 'id', { projectId, alertConfigId: '5d1113b25a115342acc2d1aa' })
  // @ts-expect-error a window without an end
  new MaintenanceWindow(scope, 'id', {
    projectId,
    alertTypeNames: ['HOST'],
    startDate: '2035-01-06T02:00:00Z',
  })
  // @ts-expect-error a user without roles
  new User(scope, 'id', sam)
}

export const people = (scope: Construct): void => {
  const dana = {
    username: 'dana@example.com',
    emailAddress: 'dana@example.com',
    firstName: 'Dana',
    lastName: 'Reyes',
    mobileNumber: '2125550198',
  }
  // @ts-expect-error a new user without a password
  new TeamRoles(scope, 'id', { organizations, users: { dana }, roles: { dana: { acme: ['ORG_MEMBER'] } } })
  const known = { userId: sam.userId }
  // @ts-expect-error a user to adopt, without the statement that the roles are complete
  new TeamRoles(scope, 'id', { organizations, users: { known }, roles: { known: { acme: ['ORG_MEMBER'] } } })
}

export const integrations = (scope: Construct): void => {
  new IntegrationGuard(scope, 'right', { projects, present: ['PAGING'] })
  // @ts-expect-error an unknown integration type
  new IntegrationGuard(scope, 'id', { projects, present: ['PAGER'] })
  // @ts-expect-error projects are missing
  new IntegrationGuard(scope, 'id', { present: ['PAGING'] })
}

export const windows = (scope: Construct): void => {
  new RecurringMaintenanceWindow(scope, 'right', window)
  // The API does not list all alert types.
  new RecurringMaintenanceWindow(scope, 'open', { ...window, alertTypeNames: ['NEW_TYPE'] })
  const { until: _until, ...endless } = window
  // @ts-expect-error until is missing
  new RecurringMaintenanceWindow(scope, 'id', endless)
  const { timezone: _timezone, ...nowhere } = window
  // @ts-expect-error the zone is missing
  new RecurringMaintenanceWindow(scope, 'id', nowhere)
  // @ts-expect-error an unknown property
  new RecurringMaintenanceWindow(scope, 'id', { ...window, horizon: 'P30D' })
}

export const alerts = (scope: Construct): void => {
  // @ts-expect-error enabled is missing
  new AlertPolicy(scope, 'id', { projects, alerts: { down: { select: { eventTypeName: 'HOST_DOWN' } } } })
  // @ts-expect-error an empty selector
  new AlertPolicy(scope, 'id', { projects, alerts: { down: { select: {}, enabled: true } } })
  // @ts-expect-error a selector cannot contain enabled
  new AlertPolicy(scope, 'id', { projects, alerts: { down: { select: { enabled: true }, enabled: true } } })
}

export const baselines = (scope: Construct): void => {
  const config = { projectId: projects.payments, baseline }
  new ProjectBaseline(scope, 'right', { ...config, overrides: { alerts: { hostDown: null } } })
  // @ts-expect-error the baseline has no such alert
  new ProjectBaseline(scope, 'id', { ...config, overrides: { alerts: { hostDwn: null } } })
  // @ts-expect-error the baseline has no such window
  new ProjectBaseline(scope, 'id', { ...config, overrides: { windows: { nightly: null } } })
  const { projectId } = config
  // @ts-expect-error a misspelt part of a baseline
  new ProjectBaseline(scope, 'id', { projectId, baseline: { alertz: {} } })
  const rules = {
    hostDown: { select: { eventTypeName: 'HOST_DOWN' }, enabled: true, onRemoved: 'forget' },
  } as const
  // @ts-expect-error a misspelt property of a rule
  new ProjectBaseline(scope, 'id', { projectId, baseline: { alerts: rules } })
  // @ts-expect-error a misspelt property of a window
  new ProjectBaseline(scope, 'id', { projectId, baseline: { windows: { patching: { ...rule, ankor: '' } } } })
  // @ts-expect-error a misspelt list of integrations
  new ProjectBaseline(scope, 'id', { projectId, baseline: { integrations: { presnt: ['PAGING'] } } })
  // @ts-expect-error a misspelt part of the overrides
  new ProjectBaseline(scope, 'id', { ...config, overrides: { alertz: {} } })
  const change = { onRemoved: 'forget' } as const
  // @ts-expect-error a misspelt property of a change
  new ProjectBaseline(scope, 'id', { ...config, overrides: { alerts: { hostDown: change } } })
  // @ts-expect-error an unknown agent type
  new ProjectBaseline(scope, 'id', { ...config, baseline: { agents: ['MONITOR'] } })
  // @ts-expect-error an unknown agent type
  const agent: AgentType = 'BACKUPS'
  // @ts-expect-error the baseline is missing
  new ProjectBaseline(scope, agent, { projectId: projects.payments })
  const team = { users: { sam }, roles: { sam: { project: ['ORG_OWNER'] } } } as const
  // @ts-expect-error a role of another scope
  new ProjectBaseline(scope, 'id', { ...config, team })
}

/** A construct of one's own over a baseline, which knows the names of the one that it is given. */
export class Wrapped<const B extends Baseline> extends Construct {
  readonly inner: ProjectBaseline<B>

  constructor(scope: Construct, id: string, config: ProjectBaselineConfig<B>) {
    super(scope, id)
    this.inner = new ProjectBaseline(this, 'inner', config)
  }
}

export const wrapped = (scope: Construct): void => {
  const config = { projectId: projects.payments, baseline }
  const { inner } = new Wrapped(scope, 'right', { ...config, overrides: { alerts: { hostDown: null } } })
  void inner.windows.patching?.windows
  // @ts-expect-error the baseline has no such alert
  new Wrapped(scope, 'id', { ...config, overrides: { alerts: { hostDwn: null } } })
  // @ts-expect-error a misspelt list of integrations
  new Wrapped(scope, 'id', { ...config, baseline: { integrations: { presnt: ['PAGING'] } } })
}

export const byName = (scope: Construct): void => {
  const { configurations } = new AlertPolicy(scope, 'alerts', { projects, alerts: baseline.alerts })
  void configurations.payments.hostDown.node
  // @ts-expect-error an unknown rule
  void configurations.payments.hostDwn
  const { integrations: guarded } = new IntegrationGuard(scope, 'guard', { projects, present: ['PAGING'] })
  void guarded.payments.PAGING?.node
  // @ts-expect-error an unknown project
  void guarded.search
  const { windows: recurring } = new ProjectBaseline(scope, 'payments', {
    projectId: projects.payments,
    baseline,
  })
  void recurring.patching?.windows
  // @ts-expect-error an override may have removed it
  void recurring.patching.windows
  // @ts-expect-error an unknown window
  void recurring.nightly
  const everyRole: readonly ProjectRole[] = PROJECT_ROLES
  void everyRole
}
