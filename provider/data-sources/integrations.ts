import { defineDataSource, limit, partlyRedacted, redacted } from '../core/data-source.ts'
import { boolean, commonly, id, string } from '../core/field.ts'
import { getList } from '../core/operation.ts'
import { ALERTING_A_REGIONS, INTEGRATIONS } from '../vocabulary.ts'

export default defineDataSource({
  name: 'integrations',
  title: 'Third-party integrations',
  summary: 'The third-party integrations of a project.',
  operation: getList('/groups/{projectId}/integrations', 17),
  shape: 'list',
  arguments: {
    projectId: id('Project whose integrations are read.').names(),
    limit,
  },
  result: {
    type: commonly(INTEGRATIONS, 'integration type', 'The integrated service.'),
    serviceKey: redacted('Service key. Only for PAGING.'),
    apiToken: redacted('API token. Only for CHAT_A.'),
    teamName: string('Team. Only for CHAT_A. Can be absent.'),
    channelName: string('Channel. Only for CHAT_A. Empty if none is set.'),
    apiKey: redacted('API key. Only for MONITORING_SAAS, ALERTING_A and ALERTING_B.'),
    notificationToken: redacted('Token. Only for CHAT_B.'),
    roomName: string('Room. Only for CHAT_B.'),
    region: commonly(ALERTING_A_REGIONS, 'region', 'Region. Only for ALERTING_A.'),
    routingKey: redacted('Routing key, if one is set. Only for ALERTING_B.'),
    url: partlyRedacted('Address. Only for WEBHOOK.'),
    secret: redacted('Secret, if one is set. Only for WEBHOOK.'),
    chatCWebhookUrl: partlyRedacted('Address of the webhook. Only for CHAT_C.'),
    username: string('User name. Only for METRICS_SCRAPER.'),
    listenAddress: string('Address and port that the scraper reaches. Only for METRICS_SCRAPER.'),
    serviceDiscovery: commonly(
      ['file', 'http'],
      'way of discovery',
      'How targets are found. Only for METRICS_SCRAPER.',
    ),
    scheme: commonly(['http', 'https'], 'scheme', 'Scheme of the listener. Only for METRICS_SCRAPER.'),
    enabled: boolean('Whether the cluster has the scraper enabled. Only for METRICS_SCRAPER.'),
    tlsPemPassword: redacted('Password of the PEM file, if one is set. Only for METRICS_SCRAPER.'),
    tlsPemPath: string('Path of the PEM file, if one is set. Only for METRICS_SCRAPER.'),
  },
  inventory: {
    readings: [{}],
    counts: ({ type, teamName, channelName, roomName, region, listenAddress, enabled }) => ({
      integration: type,
      to: [teamName, channelName, roomName, region, listenAddress].filter(
        (each) => typeof each === 'string' && each !== '',
      ),
      enabled,
    }),
  },
  docs: {
    example: { projectId: '5c8100bcf2a30b12ff88258f' },
    notes: ['Which fields an integration has depends on its `type`.'],
  },
})
