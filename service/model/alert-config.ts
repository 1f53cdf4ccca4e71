import { type Static, Type } from 'typebox'
import { Links, Timestamp, draft, optional, record, resource } from './common.ts'

/** The only event type with a metricThreshold in place of a threshold. */
export const metricEvent = 'OUTSIDE_METRIC_THRESHOLD'

const matcher = { fieldName: Type.String(), operator: Type.String(), value: Type.String() }

const MetricThreshold = record({
  metricName: Type.String(),
  mode: Type.String(),
  operator: Type.String(),
  threshold: Type.Number(),
  units: Type.String(),
})

const Threshold = record({ operator: Type.String(), threshold: Type.Number(), units: Type.String() })

const minutes = Type.Number({ minimum: 0 })

/** Every notification field of the API description; typeName determines which are in answers. */
const notification = {
  typeName: Type.String({ minLength: 1 }),
  delayMin: optional(minutes),
  intervalMin: optional(minutes),
  emailAddress: optional(Type.String()),
  mobileNumber: optional(Type.String()),
  emailEnabled: optional(Type.Boolean()),
  smsEnabled: optional(Type.Boolean()),
  roles: optional(Type.Array(Type.String())),
  username: optional(Type.String()),
  teamId: optional(Type.String()),
  teamName: optional(Type.String()),
  apiToken: optional(Type.String()),
  channelName: optional(Type.String()),
  notificationToken: optional(Type.String()),
  roomName: optional(Type.String()),
  chatCWebhookUrl: optional(Type.String()),
  serviceKey: optional(Type.String()),
  monitoringSaasApiKey: optional(Type.String()),
  alertingAApiKey: optional(Type.String()),
  alertingARegion: optional(Type.String()),
  alertingBApiKey: optional(Type.String()),
  alertingBRoutingKey: optional(Type.String()),
  webhookUrl: optional(Type.String()),
  webhookSecret: optional(Type.String()),
}

const Notification = record(notification)
export type Notification = Static<typeof Notification>

const AlertConfig = Type.Object({
  id: Type.String(),
  created: Type.String(),
  updated: Type.String(),
  enabled: Type.Boolean(),
  eventTypeName: Type.String({ minLength: 1 }),
  typeName: optional(Type.String()),
  matchers: Type.Array(record(matcher)),
  metricThreshold: optional(MetricThreshold),
  threshold: optional(Threshold),
  notifications: Type.Array(Notification),
})
/** A stored alert configuration, with secrets in full. */
export type AlertConfig = Static<typeof AlertConfig>

export const AlertConfigDraft = draft({
  ...AlertConfig.properties,
  groupId: Type.String(),
  // The samples have `field` where the table has `fieldName`; a fixture may use either.
  matchers: Type.Array(draft({ ...matcher, field: Type.String() })),
})
export type AlertConfigDraft = Static<typeof AlertConfigDraft>

/** Endpoints 3, 5 and 7. */
export const AlertConfigResource = resource(
  {
    ...AlertConfig.properties,
    groupId: Type.String(),
    created: Timestamp,
    updated: Timestamp,
    matchers: Type.Array(
      Type.Object({
        fieldName: optional(Type.String()),
        field: optional(Type.String()),
        operator: Type.String(),
        value: Type.String(),
      }),
    ),
    notifications: Type.Array(Type.Object(notification)),
    links: Links,
  },
  'AlertConfiguration',
)
