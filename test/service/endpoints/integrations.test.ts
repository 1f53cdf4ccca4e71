import { expect, test } from 'vitest'
import { ids } from '../support/fixture.ts'
import { serve, serveProject, serveWith } from '../support/service.ts'

const list = `/groups/${ids.project}/integrations`

test('endpoint 17 lists integrations with their secrets redacted', async () => {
  const { call } = await serve()
  const { body } = await call('GET', list)
  expect(body).toMatchObject({
    totalCount: 3,
    results: [
      { type: 'PAGING', serviceKey: '********6789' },
      { type: 'WEBHOOK', url: 'https://hooks.example.com/********', secret: '********' },
      { type: 'CHAT_C', chatCWebhookUrl: 'https://chat.example.com/********' },
    ],
  })
})

test('endpoint 17 shows the fields of each type, and those that are only there when configured', async () => {
  const integrations = [
    { type: 'CHAT_A', apiToken: 'chat-a-token-12345', channelName: 'ops' },
    { type: 'CHAT_B', notificationToken: 'chat-b-token-12345', roomName: 'ops' },
    { type: 'ALERTING_A', apiKey: 'alerting-a-key-12345', region: 'EU' },
    { type: 'ALERTING_B', apiKey: 'alerting-b-key-12345', routingKey: 'team' },
    { type: 'MONITORING_SAAS', apiKey: 'short' },
    {
      type: 'METRICS_SCRAPER',
      username: 'scraper',
      listenAddress: '0.0.0.0:9216',
      serviceDiscovery: 'file',
      scheme: 'https',
      tlsPemPath: '/etc/pem',
      tlsPemPassword: 'pem-password',
    },
  ]
  const settings = { 'alertingA.api.url': 'https://alerting.example.com' }
  const { call } = await serveProject({ integrations }, settings)
  expect((await call('GET', list)).body.results).toEqual([
    { type: 'CHAT_A', apiToken: '********2345', channelName: 'ops' },
    { type: 'CHAT_B', notificationToken: '********2345', roomName: 'ops' },
    { type: 'ALERTING_A', apiKey: '********2345', region: 'EU' },
    { type: 'ALERTING_B', apiKey: '********2345', routingKey: 'team' },
    { type: 'MONITORING_SAAS', apiKey: '********' },
    {
      type: 'METRICS_SCRAPER',
      username: 'scraper',
      listenAddress: '0.0.0.0:9216',
      serviceDiscovery: 'file',
      scheme: 'https',
      enabled: true,
      tlsPemPassword: '********',
      tlsPemPath: '/etc/pem',
    },
  ])
})

test('endpoint 17 leaves out what is only there when configured where it is empty', async () => {
  const integrations = [
    { type: 'WEBHOOK', url: 'https://hooks.example.com/a', secret: '' },
    { type: 'ALERTING_B', apiKey: 'alerting-b-key-12345', routingKey: '' },
    { type: 'METRICS_SCRAPER', tlsPemPath: '', tlsPemPassword: '' },
  ]
  const { call } = await serveProject({ integrations })
  expect((await call('GET', list)).body.results).toEqual([
    { type: 'WEBHOOK', url: 'https://hooks.example.com/********' },
    { type: 'ALERTING_B', apiKey: '********2345' },
    {
      type: 'METRICS_SCRAPER',
      username: '',
      listenAddress: '0.0.0.0:9216',
      serviceDiscovery: 'http',
      scheme: 'http',
      enabled: true,
    },
  ])
})

test('no secret of the fixture is in any answer, header or error', async () => {
  const { call } = await serve()
  const secrets = [
    'paging-service-key',
    'webhook-secret',
    'very/secret',
    'hidden',
    'user:pass',
    'chat-a-token',
  ]
  const paths = [list, `/groups/${ids.project}/alertConfigs`, `/orgs/${ids.org}/events?includeRaw=true`]
  for (const path of paths) {
    const { text } = await call('GET', path)
    for (const secret of secrets) expect(text).not.toContain(secret)
  }
})

test('endpoint 18 deletes an integration, with no body, and leaves an event', async () => {
  const { call } = await serve()
  const { status, text } = await call('DELETE', `${list}/PAGING?envelope=true`)
  expect([status, text]).toEqual([204, ''])
  expect((await call('GET', list)).body.totalCount).toBe(2)
  const { results } = (await call('GET', `/orgs/${ids.org}/events?includeRaw=true`)).body
  expect(results[0]).toMatchObject({
    eventTypeName: 'INTEGRATION_DELETED_AUDIT',
    groupId: ids.project,
    publicKey: 'ciadmin',
    raw: { integrationType: 'PAGING' },
  })
})

test.each(['METRICS_SCRAPER', 'CHAT_C', 'paging', 'OTHER'])('endpoint 18 cannot delete %s', async (type) => {
  const { call } = await serve()
  const { status, body } = await call('DELETE', `${list}/${type}`)
  expect([status, body.errorCode]).toEqual([400, 'INVALID_ENUM_VALUE'])
})

test('open.deleteAbsentIntegration and open.deleteIntegrationStatus say what a deletion answers', async () => {
  const absent = await serveWith({ 'open.deleteAbsentIntegration': '204' })
  expect((await absent.call('DELETE', `${list}/CHAT_B`)).status).toBe(204)
  const ok = await serveWith({ 'open.deleteIntegrationStatus': '200' })
  const { status, text, headers } = await ok.call('DELETE', `${list}/PAGING`)
  expect([status, text, headers['content-length']]).toEqual([200, '', '0'])
})
