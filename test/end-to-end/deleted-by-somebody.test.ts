/** Deleting is no call of this API for these kinds: somebody does it elsewhere, and an event tells. */
import { formatInstant } from '@deploymgmt/provider/core'
import { expect, it } from 'vitest'
import { failing, fixtureWith, PROJECT } from '../support/installation.ts'
import { applied, begin, only, writesIn } from '../support/scene.ts'

const POOL = '5d1113b25a115342acc2d0a1'
const WINDOW = '5d1113b25a115342acc2d0b1'
const CONFIGURATION = { eventTypeName: 'ALERT_CONFIG_DELETED_AUDIT', alertConfigId: POOL }
const SAM = { username: 'sam@example.com', remoteAddress: '198.51.100.4' }

const minutesFromNow = (minutes: number): string => formatInstant(Date.now() + minutes * 60_000)

/** An installation whose events will have happened in five minutes. */
const beginWith = (project: object, events: readonly object[], options = {}) =>
  begin({
    ...options,
    fixture: fixtureWith({
      ...project,
      events: events.map((event, index) => ({
        id: `6b000000000000000000000${String(index)}`,
        created: minutesFromNow(5),
        ...event,
      })),
    }),
  })

const withoutPool = async (...events: readonly object[]) => {
  const here = await beginWith({ alertConfigs: [{ id: POOL, eventTypeName: 'HOST_DOWN' }] }, events)
  await applied(here, only('alertConfigurations', `  pool: { alertConfigId: ${POOL}, enabled: true }`))
  await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [])
  await here.control('POST', 'clock', { advance: 'PT10M' })
  return here
}

it('drift names who deleted a configuration, in every format', async () => {
  const here = await withoutPool({ ...CONFIGURATION, ...SAM })
  const { document } = await here.json('drift')
  expect(document.resources).toMatchObject([
    {
      verdict: 'drifted',
      reasonCode: 'gone-at-service',
      actor: { ...SAM, eventTypeName: CONFIGURATION.eventTypeName, confidence: 'high' },
    },
  ])
  expect(document.resources[0]).not.toHaveProperty('orgId')
  for (const format of ['text', 'markdown', 'junit', 'sarif', 'brief', 'html']) {
    const { stdout } = await here.run('drift', '--format', format)
    expect({ format, stdout }).toEqual({ format, stdout: expect.stringContaining(SAM.username) })
    expect(stdout).not.toContain('no documented event')
  }
})

it('drift does not say that no event shows it where events were not read', async () => {
  const here = await withoutPool({ ...CONFIGURATION, ...SAM })
  await failing(here, 'GET', '/events', { fault: 'status', status: 403, count: 1000 })
  const { document } = await here.json('drift')
  expect(document.resources).toMatchObject([
    { reasonCode: 'gone-at-service', evidence: { eventsUnread: true } },
  ])
  expect(document.resources[0]).not.toHaveProperty('orgId')
  for (const format of ['text', 'markdown', 'html']) {
    const { stdout } = await here.run('drift', '--format', format)
    expect(stdout).toMatch(/the events that could show it were not read/i)
    expect(stdout).not.toContain('no documented event')
  }
})

it('a plan that is blocked by that names them too', async () => {
  const here = await withoutPool({ ...CONFIGURATION, ...SAM })
  for (const format of ['text', 'markdown']) {
    const { stdout } = await here.run('plan', '--format', format)
    expect(stdout).toMatch(/removed\s+outside\s+by\s+sam/)
  }
})

it.each([
  ['two tell', [SAM, { username: 'kim@example.com' }]],
  ['none tells', [{ ...SAM, eventTypeName: 'ALERT_CONFIG_CHANGED_AUDIT' }]],
])('drift names nobody for a deletion of which %s', async (_, acts) => {
  const here = await withoutPool(...acts.map((act) => ({ ...CONFIGURATION, ...act })))
  const { document } = await here.json('drift')
  expect(document.resources).toMatchObject([{ verdict: 'drifted', reasonCode: 'gone-at-service' }])
  expect(document.resources[0]).not.toHaveProperty('actor')
  const { stdout } = await here.run('drift')
  for (const { username } of acts) expect(stdout).toContain(username)
  expect(stdout).not.toContain('no documented event')
})

it('a window that an apply has not found: plan and drift name who deleted it', async () => {
  const window = {
    alertTypeNames: ['HOST'],
    startDate: '2035-01-01T00:00:00Z',
    endDate: '2035-01-02T00:00:00Z',
  }
  const here = await beginWith({ maintenanceWindows: [{ id: WINDOW, ...window }] }, [
    { eventTypeName: 'MAINTENANCE_WINDOW_DELETED_AUDIT', maintenanceWindowId: WINDOW, ...SAM },
  ])
  const declared = (description: string) =>
    only(
      'maintenanceWindows',
      `  gone: { windowId: ${WINDOW}, alertTypeNames: [HOST], startDate: ${window.startDate}, endDate: ${window.endDate}, description: ${description} }`,
    )
  await applied(here, declared('one'))
  await here.control('POST', 'clock', { advance: 'PT10M' })
  const told = {
    reasonCode: 'told-gone',
    reason:
      'an event says that it was deleted: if so, an apply does not find it, and creates nothing in its place',
    actor: { ...SAM, confidence: 'high' },
  }
  expect((await here.json('plan')).document.changes).toMatchObject([{ action: 'update', ...told }])
  expect((await here.run('plan')).stdout).toMatch(/removed\s+outside\s+by\s+sam/)
  const { document } = await here.json('drift')
  expect(document.resources).toMatchObject([
    {
      verdict: 'drifted',
      fields: [],
      ...told,
      undo: { command: 'deploymgmt apply --target maintenanceWindows.gone' },
      keep: { command: 'deploymgmt state forget maintenanceWindows.gone' },
    },
  ])
  await here.control('POST', 'faults', { fault: 'status', status: 404, method: 'PATCH', count: 1 })
  await here.manifest(declared('two'))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
  const actor = { ...SAM, confidence: 'high' }
  expect((await here.json('drift')).document.resources).toMatchObject([{ reasonCode: 'not-found', actor }])
  expect((await here.json('plan')).document.changes).toMatchObject([{ reasonCode: 'not-found', actor }])
})

/** A window that an event says that somebody has deleted. */
const withoutWindow = async (settings: string) => {
  const dates = { startDate: '2035-01-01T00:00:00Z', endDate: '2035-01-02T00:00:00Z' }
  const here = await beginWith({ maintenanceWindows: [{ id: WINDOW, alertTypeNames: ['HOST'], ...dates }] }, [
    { eventTypeName: 'MAINTENANCE_WINDOW_DELETED_AUDIT', maintenanceWindowId: WINDOW, ...SAM },
  ])
  const declared = (end: string) =>
    only(
      'maintenanceWindows',
      `  gone: { windowId: ${WINDOW}, alertTypeNames: [HOST], startDate: ${dates.startDate}, endDate: ${end}, ${settings} }`,
    )
  await applied(here, declared(dates.endDate))
  await here.control('POST', 'clock', { advance: 'PT10M' })
  return { ...here, shortened: () => here.manifest(declared('2035-01-01T12:00:00Z')) }
}

it('what forbids a write to it says that it may be gone, and blames nobody for the block', async () => {
  const here = await withoutWindow('protect: true')
  await here.shortened()
  const { document } = await here.json('plan')
  expect(document.changes).toMatchObject([
    { action: 'blocked', notes: [expect.stringContaining('an event says that it was deleted')] },
  ])
  expect(document.changes[0]).not.toHaveProperty('actor')
})

it('what is left to others as a whole is not drifted by a deletion, and the plan says that', async () => {
  const here = await withoutWindow('ignoreChanges: [alertTypeNames, startDate, endDate, description]')
  expect((await here.run('drift')).code).toBe(0)
  expect((await here.json('plan')).document.changes).toMatchObject([
    { action: 'unchanged', notes: [expect.stringContaining('an event says that it was deleted')] },
  ])
})

it.each([
  ['MAINTENANCE_WINDOW_DELETED_AUDIT', { drift: 0, apply: 0 }, { action: 'expired' }],
  ['MAINTENANCE_WINDOW_CHANGED_AUDIT', { drift: 2, apply: 2 }, { action: 'blocked' }],
])('%s about a window that is over', async (eventTypeName, codes, change) => {
  const times = { startDate: minutesFromNow(1), endDate: minutesFromNow(2) }
  const here = await beginWith({ maintenanceWindows: [{ id: WINDOW, alertTypeNames: ['HOST'], ...times }] }, [
    { eventTypeName, maintenanceWindowId: WINDOW, ...SAM },
  ])
  const { startDate, endDate } = times
  await applied(
    here,
    only(
      'maintenanceWindows',
      `  old: { windowId: ${WINDOW}, alertTypeNames: [HOST], startDate: ${startDate}, endDate: ${endDate} }`,
    ),
  )
  await here.control('POST', 'clock', { advance: 'PT10M' })
  expect((await here.json('plan')).document.changes).toMatchObject([change])
  expect({
    drift: (await here.run('drift')).code,
    apply: (await here.run('apply', '--auto-approve')).code,
  }).toEqual(codes)
})

it.each([
  ['an end that is over', { endDate: 2 }, { action: 'expired' }],
  ['an end that is ahead', { endDate: 60 }, { action: 'blocked', reasonCode: 'ended-or-prolonged' }],
])('a window that is over, of which an event tells %s', async (_, { endDate }, change) => {
  const here = await begin()
  const dates = { startDate: minutesFromNow(1), endDate: minutesFromNow(3) }
  const entry = `  old: { alertTypeNames: [HOST], startDate: ${dates.startDate}, endDate: ${dates.endDate} }`
  await applied(here, only('maintenanceWindows', entry))
  const { id } = (await here.state()).resources['maintenanceWindows.old'].identity
  await here.control('POST', 'clock', { advance: 'PT30S' })
  await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, {
    endDate: minutesFromNow(endDate),
  })
  await here.control('POST', 'clock', { advance: 'PT10M' })
  expect((await here.json('plan')).document.changes).toMatchObject([change])
})

it('a window that is over and deleted is not ended once more when its entry is taken out', async () => {
  const times = { startDate: minutesFromNow(1), endDate: minutesFromNow(2) }
  const here = await beginWith({ maintenanceWindows: [{ id: WINDOW, alertTypeNames: ['HOST'], ...times }] }, [
    { eventTypeName: 'MAINTENANCE_WINDOW_DELETED_AUDIT', maintenanceWindowId: WINDOW, ...SAM },
  ])
  const { startDate, endDate } = times
  const entry = `  old: { windowId: ${WINDOW}, alertTypeNames: [HOST], startDate: ${startDate}, endDate: ${endDate}, onRemove: end }`
  await applied(here, only('maintenanceWindows', entry))
  await here.control('POST', 'clock', { advance: 'PT10M' })
  await here.forgetRequests()
  await here.manifest(only('maintenanceWindows', ''))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(await writesIn(here)).toEqual([])
})

const KEY = '5c47503320eef5699e1cce8f'

/** A key that is recorded, and then deleted, so that its access list is not there any more. */
const withoutKey = async (...events: readonly object[]) => {
  const here = await beginWith(
    {},
    events.map((event) => ({ eventTypeName: 'API_KEY_DELETED', targetPublicKey: 'reporter', ...event })),
    { proxied: true },
  )
  const entry = `  reporting: { apiKeyId: ${KEY}, desc: Reporting, roles: [ORG_READ_ONLY], accessList: [192.0.2.0/24, 198.51.100.7] }`
  await applied(here, only('apiKeys', entry))
  await here.control('POST', 'clock', { advance: 'PT10M' })
  here.proxy.steer(async ({ method, path, authorized }, forward) => {
    if (method !== 'GET' || !authorized || !path.includes(`apiKeys/${KEY}`)) return forward()
    const body = JSON.stringify({ error: 400, errorCode: 'API_KEY_NOT_FOUND', parameters: [KEY] })
    return { status: 400, headers: { 'content-type': 'application/json' }, body }
  })
  return here
}

it.each([
  ['one event', [SAM], { ...SAM, confidence: 'high' }],
  ['two events of one person', [SAM, SAM], { ...SAM, confidence: 'medium' }],
])('a key that its access list shows to be gone, by %s', async (_, events, actor) => {
  const here = await withoutKey(...events)
  const { document } = await here.json('drift')
  expect(document.resources).toMatchObject([{ reasonCode: 'gone-at-service', actor }])
  expect((await here.json('plan')).document.changes).toMatchObject([
    { action: 'blocked', reasonCode: 'not-found', actor },
  ])
})

it('an access list that is there says that the key is, whatever an event tells', async () => {
  const here = await withoutKey(SAM)
  here.proxy.steer((_, forward) => forward())
  const { document } = await here.json('drift')
  expect(document.resources).toMatchObject([{ verdict: 'drifted', reasonCode: 'event-since' }])
})
