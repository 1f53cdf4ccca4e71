import type { REMOVALS } from './generated/removals.ts'
import type {
  AGENT_TYPES,
  EVENT_TYPES,
  GLOBAL_ROLES,
  INTEGRATIONS,
  METRIC_NAMES,
  ORGANIZATION_ROLES,
  PROJECT_ROLES,
  WINDOW_ALERT_TYPES,
} from './generated/vocabulary.ts'

/** A set that the API leaves open: known values are completed in an editor, and others are accepted. */
export type Open<T extends string> = T | (string & {})

export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number]
export type ProjectRole = (typeof PROJECT_ROLES)[number]
export type GlobalRole = (typeof GLOBAL_ROLES)[number]
export type Role = OrganizationRole | ProjectRole | GlobalRole
export type AgentType = (typeof AGENT_TYPES)[number]
export type IntegrationType = (typeof INTEGRATIONS)[number]
export type WindowAlertType = Open<(typeof WINDOW_ALERT_TYPES)[number]>
export type EventType = Open<(typeof EVENT_TYPES)[number]>
export type MetricName = Open<(typeof METRIC_NAMES)[number]>

/** What a destroy does to things of a kind. */
export type Removal<K extends keyof typeof REMOVALS> = (typeof REMOVALS)[K][number]
