import { textOf, type Values } from '../../core/values.ts'
import { partlyRedacted, redacted } from '../../core/data-source.ts'
import { boolean, commonly, element, id, number, set, string } from '../../core/field.ts'
import { ALERTING_A_REGIONS, NOTIFICATION_TYPES, ROLES } from '../../vocabulary.ts'

/** One notification of an alert configuration. Its fields depend on its `typeName`. */
export const notification = {
  typeName: commonly(NOTIFICATION_TYPES, 'means of notification', 'Means of notification.'),
  delayMin: number('Minutes between detection and the first notification.'),
  intervalMin: number('Minutes between notifications of an alert that is neither acknowledged nor resolved.'),
  emailAddress: string('Address. Only for EMAIL.'),
  mobileNumber: string('Number. Only for SMS.'),
  emailEnabled: boolean('Whether e-mails are sent. Only for ORG, GROUP and USER.'),
  smsEnabled: boolean('Whether text messages are sent. Only for ORG, GROUP and USER.'),
  roles: set(element.commonly(ROLES, 'role'), 'Roles whose holders are notified. Only for ORG and GROUP.'),
  username: string('User who is notified. Only for USER.'),
  teamId: id('Team that is notified.'),
  teamName: string('Name of the team that is notified.'),
  apiToken: redacted('API token. Only for CHAT_A.'),
  channelName: string('Channel. Only for CHAT_A.'),
  notificationToken: redacted('Token. Only for CHAT_B.'),
  roomName: string('Room. Only for CHAT_B.'),
  chatCWebhookUrl: partlyRedacted('Address of the webhook. Only for CHAT_C.'),
  serviceKey: redacted('Service key. Only for PAGING.'),
  monitoringSaasApiKey: redacted('API key. Only for MONITORING_SAAS.'),
  alertingAApiKey: redacted('API key. Only for ALERTING_A.'),
  alertingARegion: commonly(ALERTING_A_REGIONS, 'region', 'Region. Only for ALERTING_A.'),
  alertingBApiKey: redacted('API key. Only for ALERTING_B.'),
  alertingBRoutingKey: redacted('Routing key. Only for ALERTING_B.'),
  webhookUrl: partlyRedacted('Address. Only for WEBHOOK, if one is set or the integration has one.'),
  webhookSecret: redacted('Secret. Only for WEBHOOK, if one is set or the integration has one.'),
}

/** Who is notified, in a few words; never a token, nor an address that contains one. */
export const notifiedBy = ({
  typeName,
  emailAddress,
  mobileNumber,
  username,
  teamName,
  ...more
}: Values): string => {
  const roles = Array.isArray(more['roles'])
    ? (more['roles'] as unknown[]).map((role) => textOf(role)).join(', ')
    : undefined
  const who =
    emailAddress ?? mobileNumber ?? username ?? teamName ?? more['channelName'] ?? more['roomName'] ?? roles
  return typeof who === 'string' && who !== '' ? `${textOf(typeName)} ${who}` : textOf(typeName)
}
