import type { Notification } from '../model/alert-config.ts'
import type { Integration } from '../model/integration.ts'
import type { Settings } from '../settings/settings.ts'
import { redactField } from './redact.ts'

type Field = keyof Notification

// The answered fields by typeName, from the notification table of the API description.
const fieldsByType: Readonly<Record<string, readonly Field[]>> = {
  EMAIL: ['emailAddress'],
  SMS: ['mobileNumber'],
  GROUP: ['emailEnabled', 'smsEnabled', 'roles'],
  ORG: ['emailEnabled', 'smsEnabled', 'roles'],
  USER: ['emailEnabled', 'smsEnabled', 'username'],
  CHAT_A: ['apiToken', 'channelName'],
  CHAT_B: ['notificationToken', 'roomName'],
  CHAT_C: ['chatCWebhookUrl'],
  PAGING: ['serviceKey'],
  MONITORING_SAAS: ['monitoringSaasApiKey'],
  ALERTING_A: ['alertingAApiKey', 'alertingARegion'],
  ALERTING_B: ['alertingBApiKey', 'alertingBRoutingKey'],
  WEBHOOK: ['webhookUrl', 'webhookSecret'],
}

const always: readonly Field[] = ['typeName', 'delayMin', 'intervalMin', 'teamId', 'teamName']

/**
 * A notification in an answer: only the fields of its type, with secrets redacted.
 * @param webhook reads the settings whose values are defaults of a webhook
 */
export const presentNotification = (
  notification: Notification,
  webhook: () => Integration | undefined,
  settings: Settings,
): object => {
  const complete = notification.typeName === 'WEBHOOK' ? withDefaults(notification, webhook()) : notification
  const shown: Record<string, unknown> = {}
  for (const name of [...always, ...(fieldsByType[notification.typeName] ?? [])]) {
    const value = complete[name]
    if (value !== undefined) shown[name] = redactField(name, value, settings)
  }
  if (settings.get('open.extraFields') === 'present') shown['notifierId'] = '5d1113b25a115342acc2d0ff'
  return shown
}

/** Empty values of a webhook default to those of the integration settings, if there are any. */
const withDefaults = (
  notification: Notification,
  webhook: Integration | undefined,
): Partial<Notification> => {
  const { webhookUrl: ownUrl, webhookSecret: ownSecret, ...rest } = notification
  const webhookUrl = ownUrl || webhook?.url
  const webhookSecret = ownSecret || webhook?.secret
  return { ...rest, ...(webhookUrl ? { webhookUrl } : {}), ...(webhookSecret ? { webhookSecret } : {}) }
}
