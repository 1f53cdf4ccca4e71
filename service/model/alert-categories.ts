import { metricEvent } from './alert-config.ts'
import type { alertTypes } from './window.ts'

/** The alert types that a maintenance window can silence. */
type AlertCategory = (typeof alertTypes)[number]

/** Backup event types of the API description without BACKUP in their name. */
const backupEvents = new Set([
  'BAD_CLUSTERSHOTS',
  'CLUSTER_DENYLIST_UPDATED_AUDIT',
  'CLUSTER_CHECKKPOINT_UPDATED_AUDIT',
  'CLUSTER_CREDENTIAL_UPDATED_AUDIT',
  'CLUSTER_SNAPSHOT_SCHEDULE_UPDATED_AUDIT',
  'CLUSTER_STATE_CHANGED_AUDIT',
  'CLUSTER_STORAGE_ENGINE_UPDATED_AUDIT',
  'CLUSTERSHOT_DELETED_AUDIT',
  'CLUSTERSHOT_EXPIRY_UPDATED_AUDIT',
  'CONSISTENT_BACKUP_CONFIGURATION',
  'GOOD_CLUSTERSHOT',
  'INCONSISTENT_BACKUP_CONFIGURATION',
  'INITIAL_SYNC_FINISHED_AUDIT',
  'INITIAL_SYNC_STARTED_AUDIT',
  'OPLOG_BEHIND',
  'OPLOG_CURRENT',
  'RESTORE_REQUESTED_AUDIT',
  'RESYNC_PERFORMED',
  'RESYNC_REQUIRED',
  'RS_DENYLIST_UPDATED_AUDIT',
  'RS_CREDENTIAL_UPDATED_AUDIT',
  'RS_ROTATE_MASTER_KEY_AUDIT',
  'RS_SNAPSHOT_SCHEDULE_UPDATED_AUDIT',
  'RS_STATE_CHANGED_AUDIT',
  'RS_STORAGE_ENGINE_UPDATED_AUDIT',
  'SNAPSHOT_DELETED_AUDIT',
  'SNAPSHOT_EXPIRY_UPDATED_AUDIT',
  'SYNC_PENDING_AUDIT',
  'SYNC_REQUIRED_AUDIT',
])

/** The alert type of an event type; undefined for users, teams, projects and organizations. */
export const categoryOf = (eventTypeName: string): AlertCategory | undefined => {
  if (backupEvents.has(eventTypeName)) return 'BACKUP'
  // Checked before BACKUP, because BACKUP_AGENT_DOWN is about an agent.
  if (/AGENT/.test(eventTypeName)) return 'AGENT'
  if (eventTypeName.startsWith('BACKUP')) return 'BACKUP'
  if (/^(REPLICA_SET|RS_|PRIMARY|SECONDARY|NO_PRIMARY|TOO_MANY_ELECTIONS)/.test(eventTypeName))
    return 'REPLICA_SET'
  if (/CLUSTER/.test(eventTypeName)) return 'CLUSTER'
  if (eventTypeName === metricEvent || /HOST/.test(eventTypeName)) return 'HOST'
  return undefined
}
