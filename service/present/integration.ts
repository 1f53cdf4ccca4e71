import type { Context } from '../context.ts'
import type { Integration } from '../model/integration.ts'
import { extraFields } from './common.ts'
import { redactField } from './redact.ts'

// The answered fields by type, from the integration table of the API description.
const fieldsByType: Readonly<Record<Integration['type'], readonly (keyof Integration)[]>> = {
  PAGING: ['serviceKey'],
  CHAT_A: ['apiToken', 'teamName', 'channelName'],
  MONITORING_SAAS: ['apiKey'],
  CHAT_B: ['notificationToken', 'roomName'],
  ALERTING_A: ['apiKey', 'region'],
  ALERTING_B: ['apiKey', 'routingKey'],
  WEBHOOK: ['url', 'secret'],
  CHAT_C: ['chatCWebhookUrl'],
  METRICS_SCRAPER: [
    'username',
    'listenAddress',
    'serviceDiscovery',
    'scheme',
    'enabled',
    'tlsPemPassword',
    'tlsPemPath',
  ],
}

/** Fields that are only answered if they are configured, and an empty text is not. */
const ifConfigured: ReadonlySet<string> = new Set(['routingKey', 'secret', 'tlsPemPassword', 'tlsPemPath'])

/** Endpoint 17: only the fields of the type, with secrets redacted. */
export const presentIntegration = (context: Context, integration: Integration): object => {
  const shown: Record<string, unknown> = { type: integration.type }
  for (const name of fieldsByType[integration.type]) {
    const value = integration[name]
    if (value === undefined || (value === '' && ifConfigured.has(name))) continue
    shown[name] = redactField(name, value, context.settings)
  }
  return { ...shown, ...extraFields(context) }
}
