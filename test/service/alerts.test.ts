import { describe, expect, test } from 'vitest'
import { ids } from './support/fixture.ts'
import { type TestService, serveProject } from './support/service.ts'

const alerts = `/groups/${ids.project}/alerts`
const start = '2030-01-01T00:00:00Z'

const email = (delayMin: number, intervalMin?: number) => ({
  typeName: 'EMAIL',
  delayMin,
  emailAddress: 'ops@example.com',
  ...(intervalMin === undefined ? {} : { intervalMin }),
})

/** A project with one configuration and one host, and a stopped clock. */
const withConfig = async (config: object, settings: Record<string, string> = {}): Promise<TestService> => {
  const project = {
    alertConfigs: [{ id: ids.config, eventTypeName: 'HOST_DOWN', ...config }],
    hosts: [{ id: ids.host, hostname: '2001:db8::1', port: 27017, replicaSetName: 'rs0' }],
  }
  const service = await serveProject(project, settings)
  await service.control('POST', '/clock', { now: start })
  return service
}

const condition = async (service: TestService, active: boolean, more: object = {}): Promise<void> => {
  const { status } = await service.control('POST', '/conditions', {
    projectId: ids.project,
    alertConfigId: ids.config,
    active,
    ...more,
  })
  expect(status).toBe(200)
}

const advance = async (service: TestService, duration: string): Promise<void> => {
  await service.control('POST', '/clock', { advance: duration })
}

const statuses = async (service: TestService): Promise<string[]> =>
  (await service.call('GET', alerts)).body.results.map(({ status }: { status: string }) => status)

const sentAt = async (service: TestService): Promise<string[]> =>
  (await service.control('GET', '/notifications')).body.results.map(
    ({ at, event, typeName }: Record<string, string>) => `${at?.slice(11, 19)} ${typeName} ${event}`,
  )

const enable = async (service: TestService, enabled: boolean): Promise<void> => {
  await service.call('PATCH', `/groups/${ids.project}/alertConfigs/${ids.config}`, { enabled })
}

describe('the states of an alert', () => {
  test('no alert without a condition', async () => {
    const service = await withConfig({ notifications: [email(5)] })
    await advance(service, 'P1D')
    expect(await statuses(service)).toEqual([])
  })

  test('TRACKING until the smallest delay has passed, then OPEN, then CLOSED with resolved', async () => {
    const service = await withConfig({ notifications: [email(10), email(5)] })
    await condition(service, true)
    expect(await statuses(service)).toEqual(['TRACKING'])
    await advance(service, 'PT4M59S')
    expect(await statuses(service)).toEqual(['TRACKING'])
    await advance(service, 'PT1S')
    expect(await statuses(service)).toEqual(['OPEN'])
    await advance(service, 'PT1M')
    await condition(service, false)
    const { results } = (await service.call('GET', alerts)).body
    expect(results).toMatchObject([
      {
        status: 'CLOSED',
        created: start,
        updated: '2030-01-01T00:06:00Z',
        resolved: '2030-01-01T00:06:00Z',
        lastNotified: '2030-01-01T00:05:00Z',
      },
    ])
  })

  test('a transition has its own time, however late it is looked at', async () => {
    const service = await withConfig({ notifications: [email(5)] })
    await condition(service, true)
    await advance(service, 'P1D')
    const { results } = (await service.call('GET', alerts)).body
    expect(results).toMatchObject([{ status: 'OPEN', updated: '2030-01-01T00:05:00Z' }])
  })

  test.each([[[]], [[email(0)]], [[email(5), email(0)]]])(
    'with the notifications %j there is no delay, and the alert is OPEN at once',
    async (notifications) => {
      const service = await withConfig({ notifications })
      await condition(service, true)
      expect(await statuses(service)).toEqual(['OPEN'])
    },
  )

  test.each(['CLOSED', 'CANCELLED'])(
    'a condition that clears while TRACKING leaves it %s',
    async (status) => {
      const service = await withConfig({ notifications: [email(5)] }, { 'open.trackingCleared': status })
      await condition(service, true)
      await condition(service, false)
      const { results } = (await service.call('GET', alerts)).body
      expect(results).toMatchObject([{ status }])
      expect('resolved' in results[0]).toBe(status === 'CLOSED')
      await advance(service, 'P1D')
      expect(await statuses(service)).toEqual([status])
      expect(await sentAt(service)).toEqual([])
    },
  )

  test('CLOSED and CANCELLED stay; the condition coming again is a new alert', async () => {
    const service = await withConfig({ notifications: [email(5)] })
    for (const active of [true, false, true]) await condition(service, active)
    expect(await statuses(service)).toEqual(['CLOSED', 'TRACKING'])
  })

  test('a condition that is said again changes no status', async () => {
    const service = await withConfig({ notifications: [email(5)] })
    await condition(service, true)
    await condition(service, true)
    await advance(service, 'PT5M')
    await condition(service, true)
    expect(await statuses(service)).toEqual(['OPEN'])
  })

  test('each host has an alert of its own, with the fields of the host', async () => {
    const service = await withConfig({ notifications: [] })
    await condition(service, true, { hostId: ids.host })
    const { body } = await service.call('GET', alerts)
    expect(body.results).toMatchObject([
      {
        status: 'OPEN',
        hostId: ids.host,
        hostnameAndPort: '[2001:db8::1]:27017',
        replicaSetName: 'rs0',
        humanReadable: expect.stringContaining('[2001:db8::1]:27017'),
      },
    ])
  })

  test('an alert goes on as long as another condition that it stands for holds', async () => {
    const service = await withConfig({ notifications: [email(0)] })
    await condition(service, true)
    await condition(service, true, { hostId: ids.host })
    expect(await statuses(service)).toEqual(['OPEN'])
    await condition(service, false, { hostId: ids.host })
    expect(await statuses(service)).toEqual(['OPEN'])
    await condition(service, false)
    expect(await statuses(service)).toEqual(['CLOSED'])
  })

  test('a condition without a host has an alert of its own once that of the host is over', async () => {
    const service = await withConfig({ notifications: [] })
    await condition(service, true, { hostId: ids.host })
    await condition(service, true)
    await condition(service, false, { hostId: ids.host })
    expect(await statuses(service)).toEqual(['CLOSED', 'OPEN'])
  })

  test('a metric alert carries its metric and the current value', async () => {
    const service = await withConfig({
      eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
      metricThreshold: {
        metricName: 'CONNECTIONS',
        mode: 'AVERAGE',
        operator: 'GREATER_THAN',
        threshold: 0,
        units: 'RAW',
      },
    })
    await condition(service, true)
    await condition(service, true, { currentValue: 7 })
    const { body } = await service.call('GET', alerts)
    expect(body.results).toMatchObject([
      { metricName: 'CONNECTIONS', currentValue: { number: 7, units: 'RAW' } },
    ])
  })
})

test.each([{}, { currentValue: 91 }])(
  'an alert has a unit of the API where its configuration has another, with %j',
  async (more) => {
    const metricThreshold = {
      metricName: 'X',
      mode: 'AVERAGE',
      operator: 'LESS_THAN',
      threshold: 91,
      units: '%',
    }
    const service = await withConfig({ eventTypeName: 'OUTSIDE_METRIC_THRESHOLD', metricThreshold })
    await condition(service, true, more)
    const { results } = (await service.call('GET', alerts)).body
    expect(results).toMatchObject([{ currentValue: { number: 91, units: 'RAW' } }])
  },
)

describe('the enabled flag', () => {
  test('an alert of a disabled configuration never starts, and starts when it is enabled', async () => {
    const service = await withConfig({ enabled: false, notifications: [email(5)] })
    await condition(service, true)
    await advance(service, 'PT1H')
    expect(await statuses(service)).toEqual([])
    await enable(service, true)
    expect((await service.call('GET', alerts)).body.results).toMatchObject([
      { status: 'TRACKING', created: '2030-01-01T01:00:00Z' },
    ])
  })

  test.each([
    ['cancelled', 'CANCELLED'],
    ['kept', 'OPEN'],
  ])('under open.disabledConfigAlerts=%s a live alert becomes %s', async (value, status) => {
    const service = await withConfig({ notifications: [] }, { 'open.disabledConfigAlerts': value })
    await condition(service, true)
    await enable(service, false)
    expect(await statuses(service)).toEqual([status])
  })

  test('a configuration that is gone cancels its alerts', async () => {
    const service = await withConfig({ notifications: [] })
    await condition(service, true)
    await service.control('PUT', `/projects/${ids.project}/alertConfigs`, [])
    expect(await statuses(service)).toEqual(['CANCELLED'])
  })
})

describe('notifications', () => {
  test('fall due after delayMin and then every intervalMin while the alert is open', async () => {
    const sms = { typeName: 'SMS', delayMin: 7, mobileNumber: '2125550198' }
    const service = await withConfig({ notifications: [email(5, 10), sms] })
    await condition(service, true)
    await advance(service, 'PT30M')
    await condition(service, false)
    await advance(service, 'PT1H')
    expect(await sentAt(service)).toEqual([
      '00:05:00 EMAIL open',
      '00:07:00 SMS open',
      '00:15:00 EMAIL open',
      '00:25:00 EMAIL open',
    ])
  })

  test('do not depend on how the clock gets there', async () => {
    const service = await withConfig({ notifications: [email(5, 10)] })
    await condition(service, true)
    for (let minute = 0; minute < 30; minute += 1) await advance(service, 'PT1M')
    expect(await sentAt(service)).toEqual([
      '00:05:00 EMAIL open',
      '00:15:00 EMAIL open',
      '00:25:00 EMAIL open',
    ])
  })

  test('are silent while an alert is acknowledged', async () => {
    const service = await serveProject({
      alertConfigs: [{ id: ids.config, notifications: [email(0, 10)] }],
      alerts: [{ alertConfigId: ids.config, created: start, acknowledgedUntil: '2030-01-01T00:25:00Z' }],
    })
    await service.control('POST', '/clock', { now: start })
    await advance(service, 'PT40M')
    expect(await sentAt(service)).toEqual(['00:30:00 EMAIL open', '00:40:00 EMAIL open'])
  })

  test('open.closeNotification=sent tells those that were told before', async () => {
    const notifications = [email(5), { ...email(30), typeName: 'SMS' }]
    const service = await withConfig({ notifications }, { 'open.closeNotification': 'sent' })
    await condition(service, true)
    await advance(service, 'PT10M')
    await condition(service, false)
    expect(await sentAt(service)).toEqual(['00:05:00 EMAIL open', '00:10:00 EMAIL close'])
  })

  test('open.alertEvents=emitted leaves an event when an alert opens', async () => {
    const service = await withConfig({ notifications: [email(5)] }, { 'open.alertEvents': 'emitted' })
    await condition(service, true)
    await advance(service, 'PT10M')
    const { results } = (await service.call('GET', `/orgs/${ids.org}/events`)).body
    expect(results).toMatchObject([
      { eventTypeName: 'HOST_DOWN', alertConfigId: ids.config, created: '2030-01-01T00:05:00Z' },
    ])
  })
})

const window = async (service: TestService, alertTypeNames: string[], from: string, to: string) =>
  (
    await service.call('POST', `/groups/${ids.project}/maintenanceWindows/`, {
      alertTypeNames,
      startDate: `2030-01-01T${from}Z`,
      endDate: `2030-01-01T${to}Z`,
    })
  ).body.id

describe('maintenance windows', () => {
  test('silence the notifications of their types from start to end, and not the alert', async () => {
    const service = await withConfig({ notifications: [email(5, 5)] })
    await window(service, ['HOST'], '00:10:00', '00:20:00')
    await condition(service, true)
    await advance(service, 'PT25M')
    expect(await statuses(service)).toEqual(['OPEN'])
    expect(await sentAt(service)).toEqual([
      '00:05:00 EMAIL open',
      '00:20:00 EMAIL open',
      '00:25:00 EMAIL open',
    ])
  })

  test.each([
    ['HOST_DOWN', 'HOST'],
    ['OUTSIDE_METRIC_THRESHOLD', 'HOST'],
    ['REPLICA_SET', 'REPLICA_SET'],
    ['NO_PRIMARY', 'REPLICA_SET'],
    ['SHARDED_CLUSTER', 'CLUSTER'],
    ['MONITORING_AGENT_DOWN', 'AGENT'],
    ['BACKUP_AGENT_DOWN', 'AGENT'],
    ['BACKUP', 'BACKUP'],
    ['CLUSTER_STATE_CHANGED_AUDIT', 'BACKUP'],
    ['RS_STATE_CHANGED_AUDIT', 'BACKUP'],
    ['OPLOG_BEHIND', 'BACKUP'],
  ])('%s is silenced by %s, and by no other type', async (eventTypeName, type) => {
    const all = ['HOST', 'REPLICA_SET', 'CLUSTER', 'AGENT', 'BACKUP']
    for (const [types, count] of [
      [[type], 0],
      [all.filter((other) => other !== type), 1],
    ] as const) {
      const service = await withConfig({ eventTypeName, notifications: [email(1)] })
      await window(service, [...types], '00:00:00', '01:00:00')
      await condition(service, true)
      await advance(service, 'PT5M')
      expect(await sentAt(service)).toHaveLength(count)
    }
  })

  test('an event type of no alert type is never silenced', async () => {
    const service = await withConfig({ eventTypeName: 'USERS_AWAITING_APPROVAL', notifications: [email(1)] })
    await window(service, ['HOST', 'REPLICA_SET', 'CLUSTER', 'AGENT', 'BACKUP'], '00:00:00', '01:00:00')
    await condition(service, true)
    await advance(service, 'PT5M')
    expect(await sentAt(service)).toHaveLength(1)
  })

  test('a window that is ended early silences no longer, and what it silenced stays silent', async () => {
    const service = await withConfig({ notifications: [email(5, 5)] })
    const id = await window(service, ['HOST'], '00:00:00', '01:00:00')
    await condition(service, true)
    await advance(service, 'PT12M')
    await service.call('PATCH', `/groups/${ids.project}/maintenanceWindows/${id}`, {
      endDate: '2030-01-01T00:12:01Z',
    })
    await advance(service, 'PT10M')
    expect(await sentAt(service)).toEqual(['00:15:00 EMAIL open', '00:20:00 EMAIL open'])
  })
})

const withAlerts = (): Promise<TestService> =>
  serveProject({
    alertConfigs: [{ id: ids.config, notifications: [email(5)] }, { id: ids.metricConfig }],
    alerts: [
      { alertConfigId: ids.config, status: 'TRACKING', created: '2026-01-01T00:00:00Z' },
      { alertConfigId: ids.metricConfig, status: 'OPEN' },
    ],
  })

describe('the alerts of a fixture', () => {
  test('keep their status while nothing is set through the control interface', async () => {
    const service = await withAlerts()
    await enable(service, false)
    expect(await statuses(service)).toEqual(['TRACKING', 'OPEN'])
  })

  test('live on from the time when the clock is set', async () => {
    const service = await withAlerts()
    await service.control('POST', '/clock', { now: start })
    expect(await statuses(service)).toEqual(['OPEN', 'OPEN'])
  })

  test('of one configuration live on from the time when its condition is set', async () => {
    const service = await withAlerts()
    const other = { projectId: ids.project, alertConfigId: ids.metricConfig }
    await service.control('POST', '/conditions', { ...other, active: true })
    expect(await statuses(service)).toEqual(['TRACKING', 'OPEN'])
    await service.control('POST', '/conditions', { ...other, active: false })
    expect(await statuses(service)).toEqual(['TRACKING', 'CLOSED'])
  })
})
