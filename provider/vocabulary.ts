/** The value sets of the API, as its specification lists them. Closed sets are errors when missed, open ones warnings. */

export const ORGANIZATION_ROLES = ['ORG_OWNER', 'ORG_MEMBER', 'ORG_GROUP_CREATOR', 'ORG_READ_ONLY'] as const
export const PROJECT_ROLES = [
  'GROUP_OWNER',
  'GROUP_READ_ONLY',
  'GROUP_DATA_ACCESS_ADMIN',
  'GROUP_DATA_ACCESS_READ_WRITE',
  'GROUP_DATA_ACCESS_READ_ONLY',
  'GROUP_AUTOMATION_ADMIN',
  'GROUP_BACKUP_ADMIN',
  'GROUP_MONITORING_ADMIN',
  'GROUP_USER_ADMIN',
] as const
export const GLOBAL_ROLES = [
  'GLOBAL_AUTOMATION_ADMIN',
  'GLOBAL_BACKUP_ADMIN',
  'GLOBAL_MONITORING_ADMIN',
  'GLOBAL_OWNER',
  'GLOBAL_READ_ONLY',
  'GLOBAL_USER_ADMIN',
] as const
export const ROLES = [...ORGANIZATION_ROLES, ...PROJECT_ROLES, ...GLOBAL_ROLES] as const

export const AGENT_TYPES = ['MONITORING', 'BACKUP', 'AUTOMATION'] as const
/** What the list of alerts can be filtered by; CANCELLED is a status and no filter. */
export const ALERT_STATUS_FILTERS = ['TRACKING', 'OPEN', 'CLOSED'] as const

/** Endpoint 18 deletes these. */
export const DELETABLE_INTEGRATIONS = [
  'MONITORING_SAAS',
  'CHAT_B',
  'PAGING',
  'CHAT_A',
  'APM_SERVICE',
  'ALERTING_A',
  'ALERTING_B',
  'WEBHOOK',
] as const
/** Endpoint 17 can list these too; endpoint 18 does not name them. */
export const INTEGRATIONS = [...DELETABLE_INTEGRATIONS, 'CHAT_C', 'METRICS_SCRAPER'] as const

/** Alert types a maintenance window is known to silence; the specification leaves the set open. */
export const WINDOW_ALERT_TYPES = ['HOST', 'REPLICA_SET', 'CLUSTER', 'AGENT', 'BACKUP'] as const
/** Event types met in the specification; the set is open. */
export const EVENT_TYPES = [
  'OUTSIDE_METRIC_THRESHOLD',
  'HOST_DOWN',
  'REPLICA_SET',
  'SHARDED_CLUSTER',
  'BACKUP',
  'MONITORING_AGENT_DOWN',
  'BACKUP_AGENT_DOWN',
  'DATA_EXPLORER',
  'DATA_EXPLORER_CRUD',
  'CONSISTENT_BACKUP_CONFIGURATION',
  'INCONSISTENT_BACKUP_CONFIGURATION',
  'OPLOG_BEHIND',
  'OPLOG_CURRENT',
  'RESYNC_PERFORMED',
  'RESYNC_REQUIRED',
  'SYNC_PENDING_AUDIT',
  'SYNC_REQUIRED_AUDIT',
] as const
