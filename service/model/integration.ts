import { type Static, Type } from 'typebox'
import { optional, record, resource } from './common.ts'

/** The integration types that a list can contain (endpoint 17). */
const integrationTypes = [
  'PAGING',
  'CHAT_A',
  'MONITORING_SAAS',
  'CHAT_B',
  'ALERTING_A',
  'ALERTING_B',
  'WEBHOOK',
  'CHAT_C',
  'METRICS_SCRAPER',
] as const

/** The types that can be deleted (endpoint 18). */
export const deletableTypes = [
  'MONITORING_SAAS',
  'CHAT_B',
  'PAGING',
  'CHAT_A',
  'APM_SERVICE',
  'ALERTING_A',
  'ALERTING_B',
  'WEBHOOK',
] as const

const text = optional(Type.String())

const fields = {
  // APM_SERVICE is only documented as deletable.
  type: Type.Enum([...integrationTypes]),
  serviceKey: text,
  apiToken: text,
  teamName: text,
  channelName: text,
  apiKey: text,
  notificationToken: text,
  roomName: text,
  region: optional(Type.Enum(['US', 'EU'])),
  routingKey: text,
  url: text,
  secret: text,
  chatCWebhookUrl: text,
  username: text,
  listenAddress: text,
  serviceDiscovery: optional(Type.Enum(['file', 'http'])),
  scheme: optional(Type.Enum(['http', 'https'])),
  enabled: optional(Type.Boolean()),
  tlsPemPassword: text,
  tlsPemPath: text,
}

/** A stored integration (as in a fixture), with secrets in full. */
export const Integration = record(fields)
export type Integration = Static<typeof Integration>

/** Endpoint 17. */
export const IntegrationResource = resource(fields, 'Integration')
