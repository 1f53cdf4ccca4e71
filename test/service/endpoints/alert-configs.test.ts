import { expect, test } from 'vitest'
import { ids } from '../support/fixture.ts'
import { serve, serveWith } from '../support/service.ts'

const list = `/groups/${ids.project}/alertConfigs`

test('endpoint 3 changes enabled and updated, and nothing else', async () => {
  const { call, control } = await serve()
  const before = (await call('GET', `${list}/${ids.config}`)).body
  await control('POST', '/clock', { now: '2030-01-01T00:00:00Z' })
  const { body } = await call('PATCH', `${list}/${ids.config}`, { enabled: false })
  expect(body).toEqual({ ...before, enabled: false, updated: '2030-01-01T00:00:00Z' })
  expect((await call('GET', `${list}/${ids.config}`)).body).toEqual(body)
  expect((await call('PATCH', `${list}/${ids.config}`, { enabled: true })).body.enabled).toBe(true)
})

test.each([
  [{}, 'MISSING_ATTRIBUTE'],
  [{ enabled: 'true' }, 'INVALID_ATTRIBUTE'],
  [{ enabled: null }, 'INVALID_ATTRIBUTE'],
  [{ enabled: 1 }, 'INVALID_ATTRIBUTE'],
  [{ enabled: true, matchers: [] }, 'ATTRIBUTE_READ_ONLY'],
])('endpoint 3 refuses %j with %s', async (body, errorCode) => {
  const { call } = await serve()
  const reply = await call('PATCH', `${list}/${ids.config}`, body)
  expect([reply.status, reply.body.errorCode]).toEqual([400, errorCode])
})

test('endpoint 3 leaves an event for enabling and for disabling', async () => {
  const { call } = await serve()
  for (const enabled of [false, true]) await call('PATCH', `${list}/${ids.config}`, { enabled })
  const { body } = await call('GET', `/orgs/${ids.org}/events`)
  expect(body.results.slice(0, 2)).toMatchObject([
    {
      eventTypeName: 'ALERT_CONFIG_ENABLED_AUDIT',
      alertConfigId: ids.config,
      groupId: ids.project,
      orgId: ids.org,
    },
    { eventTypeName: 'ALERT_CONFIG_DISABLED_AUDIT', publicKey: 'ciadmin', apiKeyId: ids.ciKey },
  ])
})

test('endpoint 5 shows a threshold by event type, and the fields of each notification type alone', async () => {
  const { call } = await serve()
  const { body } = await call('GET', list)
  expect(body.results).toMatchObject([
    {
      id: ids.config,
      groupId: ids.project,
      matchers: [{ fieldName: 'HOSTNAME', operator: 'EQUALS', value: 'db1.example.com' }],
      notifications: [{ typeName: 'EMAIL', delayMin: 5, intervalMin: 10, emailAddress: 'ops@example.com' }],
      links: [],
    },
    {
      id: ids.metricConfig,
      // A threshold of 0 is not left out.
      metricThreshold: { metricName: 'CONNECTIONS', threshold: 0 },
      notifications: [
        { typeName: 'CHAT_A', apiToken: '********6789', channelName: 'ops' },
        // This webhook has no URL of its own, so the integration's is used.
        { typeName: 'WEBHOOK', webhookUrl: 'https://hooks.example.com/********', webhookSecret: '********' },
      ],
    },
  ])
  expect(body.results[0]).not.toHaveProperty('metricThreshold')
  expect(body.results[1]).not.toHaveProperty('threshold')
})

test('endpoint 7 answers what endpoint 5 lists', async () => {
  const { call } = await serve()
  const { results } = (await call('GET', list)).body
  for (const config of results) expect((await call('GET', `${list}/${config.id}`)).body).toEqual(config)
})

test('an id that is not 24 hex digits is 404 with a code of its own', async () => {
  const { call } = await serve()
  const config = await call('GET', `${list}/x`)
  expect([config.status, config.body.errorCode]).toEqual([404, 'INVALID_ALERT_CONFIG_ID'])
  const project = await call('GET', '/groups/x/alertConfigs')
  expect([project.status, project.body.errorCode]).toEqual([404, 'INVALID_GROUP_ID'])
})

test.each([
  ['fieldName', { fieldName: 'HOSTNAME' }],
  ['field', { field: 'HOSTNAME' }],
  ['both', { fieldName: 'HOSTNAME', field: 'HOSTNAME' }],
])('open.matcherKey=%s names the field of a matcher so', async (value, names) => {
  const { call } = await serveWith({ 'open.matcherKey': value })
  const { body } = await call('GET', `${list}/${ids.config}`)
  expect(body.matchers).toEqual([{ ...names, operator: 'EQUALS', value: 'db1.example.com' }])
})

test('open.sampleLinks, open.extraFields and open.timestampForm change the answer', async () => {
  const { call, baseUrl } = await serveWith({
    'open.sampleLinks': 'self',
    'open.extraFields': 'present',
    'open.timestampForm': 'milliseconds',
    'open.integrationRedaction': 'full',
  })
  const { body } = await call('GET', `${list}/${ids.config}`)
  expect(body).toMatchObject({
    links: [{ rel: 'self', href: `${baseUrl}${list}/${ids.config}` }],
    created: '2026-01-01T00:00:00.000Z',
    serviceExtra: expect.any(String),
    notifications: [{ notifierId: expect.any(String) }],
  })
  const metric = await call('GET', `${list}/${ids.metricConfig}`)
  expect(metric.body.notifications[0].apiToken).toBe('********')
})
