import { expect, test } from 'vitest'
import { ids, keys } from '../support/fixture.ts'
import { serve, serveProject } from '../support/service.ts'

const list = `/groups/${ids.project}/alerts`

test('endpoint 4 lists alerts of all statuses, or of one', async () => {
  const { call } = await serve()
  const statuses = async (query: string) =>
    (await call('GET', list + query)).body.results.map((alert: { status: string }) => alert.status)
  expect(await statuses('')).toEqual(['OPEN', 'TRACKING', 'CLOSED', 'CANCELLED'])
  for (const status of ['TRACKING', 'OPEN', 'CLOSED'])
    expect(await statuses(`?status=${status}`)).toEqual([status])
})

test.each(['CANCELLED', 'open', '', 'ALL'])('endpoint 4 refuses the status %j', async (status) => {
  const { call } = await serve()
  const reply = await call('GET', `${list}?status=${status}`)
  expect([reply.status, reply.body.errorCode]).toEqual([400, 'INVALID_ALERT_STATUS'])
})

test('endpoint 6 answers one alert, with a link to itself', async () => {
  const { call, baseUrl } = await serve()
  const { body } = await call('GET', `${list}/${ids.openAlert}`)
  expect(body).toMatchObject({
    id: ids.openAlert,
    alertConfigId: ids.config,
    groupId: ids.project,
    eventTypeName: 'HOST_DOWN',
    hostId: ids.host,
    humanReadable: 'Host is down',
    links: [{ rel: 'self', href: `${baseUrl}${list}/${ids.openAlert}` }],
  })
  expect(body).not.toHaveProperty('resolved')
})

test('a closed alert carries resolved, and no other does', async () => {
  const { call } = await serve()
  const { results } = (await call('GET', list)).body
  for (const alert of results) expect('resolved' in alert).toBe(alert.status === 'CLOSED')
})

test('an alert shows the fields of its event type alone', async () => {
  const everything = {
    alertConfigId: ids.config,
    hostId: ids.host,
    hostnameAndPort: '[2001:db8::1]:27017',
    clusterId: 'c1',
    clusterName: 'c',
    replicaSetName: 'rs0',
    sourceTypeName: 'CONFIG_SERVER',
    metricName: 'CONNECTIONS',
    currentValue: { number: 1, units: 'RAW' },
  }
  const types = [
    'HOST_DOWN',
    'OUTSIDE_METRIC_THRESHOLD',
    'REPLICA_SET',
    'SHARDED_CLUSTER',
    'OPLOG_BEHIND',
    'USERS',
  ]
  const alerts = types.map((eventTypeName) => ({ ...everything, eventTypeName }))
  const { call } = await serveProject({ alerts })
  const { results } = (await call('GET', list)).body
  const shown = results.map((alert: object) =>
    Object.keys(everything).filter((name) => name !== 'alertConfigId' && name in alert),
  )
  expect(Object.fromEntries(types.map((type, index) => [type, shown[index]]))).toEqual({
    HOST_DOWN: ['hostId', 'hostnameAndPort', 'replicaSetName'],
    OUTSIDE_METRIC_THRESHOLD: ['hostId', 'hostnameAndPort', 'replicaSetName', 'metricName', 'currentValue'],
    REPLICA_SET: ['hostId', 'hostnameAndPort', 'replicaSetName'],
    SHARDED_CLUSTER: ['clusterId', 'clusterName'],
    OPLOG_BEHIND: ['replicaSetName', 'sourceTypeName'],
    USERS: [],
  })
})

test('open.globalAlertFields=categories shows where a global alert is by its event type', async () => {
  const globalAlerts = [
    { id: ids.globalAlert, eventTypeName: 'BACKUP_AGENT_DOWN', hostId: ids.host, groupId: ids.project },
  ]
  const organizations = [{ id: ids.org, apiKeys: [{ ...keys.root, roles: [{ roleName: 'GLOBAL_OWNER' }] }] }]
  const get = async (settings: Record<string, string>) =>
    (
      await (await serve({ fixture: { organizations, globalAlerts }, settings })).as(keys.root)(
        'GET',
        `/globalAlerts/${ids.globalAlert}`,
      )
    ).body
  expect(await get({})).toMatchObject({ hostId: ids.host, groupId: ids.project })
  expect(await get({ 'open.globalAlertFields': 'categories' })).not.toHaveProperty('hostId')
})

test('endpoint 10 answers a global owner and a global monitoring admin, without alert-only fields', async () => {
  const { as } = await serve()
  for (const key of [keys.monitor, keys.root]) {
    const { status, body } = await as(key)('GET', `/globalAlerts/${ids.globalAlert}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: ids.globalAlert, status: 'OPEN', links: [] })
    expect(body).not.toHaveProperty('humanReadable')
  }
})
