import { type Static, Type } from 'typebox'
import { CurrentValue, Links, Timestamp, draft, optional, resource } from './common.ts'

const alertStatuses = ['TRACKING', 'OPEN', 'CLOSED', 'CANCELLED'] as const

/** CANCELLED is not offered as a filter (endpoint 4). */
export const filterStatuses = ['TRACKING', 'OPEN', 'CLOSED'] as const

const sourceTypes = ['REPLICA_SET', 'SHARDED_CLUSTER', 'CONFIG_SERVER'] as const

const text = optional(Type.String())

const fields = {
  id: Type.String(),
  alertConfigId: Type.String(),
  created: Type.String(),
  updated: Type.String(),
  lastNotified: text,
  resolved: text,
  status: Type.Enum([...alertStatuses]),
  eventTypeName: Type.String({ minLength: 1 }),
  typeName: text,
  tags: optional(Type.Array(Type.String())),
  acknowledgedUntil: text,
  acknowledgementComment: text,
  acknowledgingUsername: text,
  clusterId: text,
  clusterName: text,
  currentValue: optional(CurrentValue),
  hostId: text,
  hostnameAndPort: text,
  metricName: text,
  replicaSetName: text,
  sourceTypeName: optional(Type.Enum([...sourceTypes])),
  humanReadable: text,
}

const Alert = Type.Object(fields)
/** A stored alert. */
export type Alert = Static<typeof Alert>

export const AlertDraft = draft({ ...fields, groupId: Type.String() })
export type AlertDraft = Static<typeof AlertDraft>

const instants = {
  created: Timestamp,
  updated: Timestamp,
  lastNotified: optional(Timestamp),
  resolved: optional(Timestamp),
  acknowledgedUntil: optional(Timestamp),
}

/** Endpoints 4 and 6. */
export const AlertResource = resource(
  { ...fields, ...instants, groupId: Type.String(), links: Links },
  'Alert',
)

const { humanReadable: _alertOnly, ...globalFields } = fields

/** Endpoint 10: no alert-only fields. */
export const GlobalAlertResource = resource(
  { ...globalFields, ...instants, groupId: text, links: Links },
  'GlobalAlert',
)
