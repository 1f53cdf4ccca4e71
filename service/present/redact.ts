import type { Settings } from '../settings/settings.ts'

const tokens = new Set([
  'apiKey',
  'apiToken',
  'notificationToken',
  'serviceKey',
  'monitoringSaasApiKey',
  'alertingAApiKey',
  'alertingBApiKey',
  'alertingBRoutingKey',
])
const urls = new Set(['url', 'webhookUrl', 'chatCWebhookUrl'])

/** Secrets of which no part is answered. */
const wholeSecrets = new Set(['secret', 'webhookSecret', 'tlsPemPassword'])

/** A field of an integration or of a notification as answered. */
export const redactField = (name: string, value: unknown, settings: Settings): unknown => {
  if (typeof value !== 'string') return value
  if (wholeSecrets.has(name)) return fullyRedacted
  if (urls.has(name)) return redactUrl(value)
  return tokens.has(name) ? redactToken(value, settings) : value
}

/** The answer in place of a completely redacted value. */
const fullyRedacted = '********'

/** A private key: a fixed mask, then the trailing segment, which is at most a third of the key. */
export const redactPrivateKey = (privateKey: string): string => {
  const segment = privateKey.slice(privateKey.lastIndexOf('-') + 1)
  const shown = Math.min(segment.length, 12, Math.floor(privateKey.length / 3))
  return `********-****-****-${shown > 0 ? segment.slice(-shown) : '****'}`
}

/** A key or token of an integration: masked except for its last characters (open.integrationRedaction). */
const redactToken = (token: string, settings: Settings): string => {
  if (token === '') return ''
  if (settings.get('open.integrationRedaction') === 'full') return fullyRedacted
  const shown = token.length < 12 ? 0 : 4
  return fullyRedacted + (shown > 0 ? token.slice(-shown) : '')
}

/** A URL whose path can be a secret: scheme and host stay, and the rest is masked. */
const redactUrl = (url: string): string => {
  if (url === '') return ''
  // Not a URL parser, because almost valid URLs must be masked too.
  const host = /^([a-z][a-z\d+.-]*:\/\/)(?:[^/?#@]*@)?([^/?#@]+)/i.exec(url)
  return host ? `${host[1]}${host[2]}/${fullyRedacted}` : fullyRedacted
}
