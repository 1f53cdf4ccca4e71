/** Everything that is generated: the provider, and a class for each resource and data source. */
export * from './generated/all.ts'

export { AlertPolicy, type AlertPolicyConfig, type AlertRule } from './alert-policy.ts'
export { DeploymgmtProvider } from './provider.ts'
export { DeclarationError, type Problem } from './declaration-error.ts'
export {
  IntegrationGuard,
  type Guarded,
  type IntegrationGuardConfig,
  type IntegrationRules,
} from './integration-guard.ts'
export type { Occurrence } from './occurrences.ts'
export type { Recurrence } from './recurrence.ts'
export type { Changes } from './overrides.ts'
export type { ExistingPerson, NewPerson, Person } from './person.ts'
export type { Baseline, BaselineOverrides, ProjectBaselineConfig, ProjectTeam } from './baseline.ts'
export { ProjectBaseline } from './project-baseline.ts'
export {
  RecurringMaintenanceWindow,
  type RecurringMaintenanceWindowConfig,
  type WindowRule,
} from './recurring-maintenance-window.ts'
export type { AlertSelector, SelectorMatcher } from './selector.ts'
export { SecretVariable, type SecretVariableConfig } from './secret-variable.ts'
export { synthesize } from './synthesize.ts'
export { TeamRoles } from './team-roles.ts'
export type { RoleRow, TeamRolesConfig } from './role-table.ts'
export {
  AGENT_TYPES,
  EVENT_TYPES,
  GLOBAL_ROLES,
  INTEGRATIONS,
  METRIC_NAMES,
  ORGANIZATION_ROLES,
  PROJECT_ROLES,
  WINDOW_ALERT_TYPES,
} from './generated/vocabulary.ts'
export type * from './vocabulary.ts'
