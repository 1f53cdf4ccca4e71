import { type Static, Type } from 'typebox'
import { CurrentValue, Links, Timestamp, nullableText, optional, record, resource } from './common.ts'

const text = optional(Type.String())

const Diff = Type.Object({
  id: Type.String(),
  name: nullableText,
  params: Type.Array(
    record({ display: Type.String(), new: Type.String(), old: Type.String(), param: Type.String() }),
  ),
  status: Type.Enum(['NEW', 'MODIFIED', 'REMOVED', 'SHUTDOWN', 'STARTUP', 'RESTORE', 'RESTART']),
  type: Type.Enum([
    'AUTH',
    'AUTOMATION_AGENT',
    'BACKUP_AGENT',
    'BI_CONNECTOR',
    'MONITORING_AGENT',
    'PROCESS',
    'REPLICA_SET',
    'ROLES',
    'USERS',
  ]),
  privileges: optional(Type.Array(Type.Unknown())),
  roles: optional(Type.Array(Type.Unknown())),
})
export type Diff = Static<typeof Diff>

const fields = {
  id: Type.String(),
  eventTypeName: Type.String({ minLength: 1 }),
  created: Type.String(),
  groupId: text,
  orgId: text,
  alertId: text,
  alertConfigId: text,
  maintenanceWindowId: text,
  apiKeyId: text,
  publicKey: text,
  userId: text,
  username: text,
  remoteAddress: text,
  isGlobalAdmin: optional(Type.Boolean()),
  clusterId: text,
  clusterName: text,
  hostId: text,
  hostname: text,
  port: optional(Type.Integer()),
  replicaSetName: text,
  shardName: text,
  teamId: text,
  targetUsername: text,
  targetPublicKey: text,
  accessListEntry: text,
  collection: text,
  database: text,
  opType: text,
  currentValue: optional(CurrentValue),
  metricName: text,
  diffs: optional(Type.Array(Diff)),
  raw: optional(Type.Record(Type.String(), Type.Unknown())),
}

const Event = Type.Object(fields)
/** A stored activity event. */
export type Event = Static<typeof Event>

export const EventDraft = record({ ...fields, id: optional(fields.id), created: text })
export type EventDraft = Static<typeof EventDraft>

/** Endpoints 19, 20 and 21. */
export const EventResource = resource({ ...fields, created: Timestamp, links: Links }, 'Event')
