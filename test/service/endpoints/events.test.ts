import { expect, test } from 'vitest'
import type { Key } from '../support/digest.ts'
import { newWindow } from '../support/endpoints.ts'
import { ids, keys } from '../support/fixture.ts'
import { type TestService, serve, serveWith } from '../support/service.ts'

const list = `/orgs/${ids.org}/events`
const windows = `/groups/${ids.project}/maintenanceWindows/`

const types = async ({ call }: TestService, query = ''): Promise<string[]> => {
  const { body } = await call('GET', list + query)
  return body.results.map((event: { eventTypeName: string }) => event.eventTypeName)
}

const organization = { id: ids.org, apiKeys: [keys.ci] }

const dated = {
  organizations: [
    {
      ...organization,
      events: [1, 2, 3].map((day) => ({ eventTypeName: `DAY_${day}`, created: `2026-01-0${day}T00:00:00Z` })),
    },
  ],
  projects: [{ id: ids.project, events: [{ eventTypeName: 'DAY_2', created: '2026-01-02T12:00:00Z' }] }],
}

test('endpoint 19 lists the events of an organization and its projects, newest first', async () => {
  const service = await serve({ fixture: dated })
  expect(await types(service)).toEqual(['DAY_3', 'DAY_2', 'DAY_2', 'DAY_1'])
})

test.each([
  ['?eventType=DAY_1', ['DAY_1']],
  ['?eventType=DAY_1&eventType=DAY_3', ['DAY_3', 'DAY_1']],
  ['?eventType=DAY_1,DAY_3', ['DAY_3', 'DAY_1']],
  ['?eventType=OTHER', []],
  ['?minDate=2026-01-02T00:00:00Z', ['DAY_3', 'DAY_2', 'DAY_2']],
  ['?maxDate=2026-01-02T00:00:00Z', ['DAY_2', 'DAY_1']],
  ['?minDate=2026-01-02T00:00:00Z&maxDate=2026-01-02T00:00:00Z', ['DAY_2']],
  ['?minDate=2026-01-01T00:00:00.001Z&maxDate=2026-01-02T14:00:00%2B02:00', ['DAY_2', 'DAY_2']],
])('endpoint 19 filters by %s', async (query, expected) => {
  expect(await types(await serve({ fixture: dated }), query)).toEqual(expected)
})

test('endpoint 19 refuses a date that is none', async () => {
  const { call } = await serve()
  for (const query of ['?minDate=yesterday', '?maxDate=', '?minDate=2026-01-02']) {
    const { status, body } = await call('GET', list + query)
    expect([status, body.errorCode]).toEqual([400, 'INVALID_QUERY_PARAMETER'])
  }
})

test('endpoint 19 says how a plus is written: in a query it is a space', async () => {
  const { call } = await serve()
  const { status, body } = await call('GET', `${list}?minDate=2026-11-20T00:00:00+01:00`)
  expect(status).toBe(400)
  expect(body.detail).toContain('with a + written as %2B')
})

test('open.eventTypeList says how several types are given', async () => {
  const comma = await serve({ fixture: dated, settings: { 'open.eventTypeList': 'comma' } })
  expect((await comma.call('GET', `${list}?eventType=DAY_1&eventType=DAY_2`)).status).toBe(400)
  const repeated = await serve({ fixture: dated, settings: { 'open.eventTypeList': 'repeated' } })
  expect(await types(repeated, '?eventType=DAY_1,DAY_2')).toEqual([])
})

test('endpoints 19, 20 and 21 show raw only when it is asked for, and link to themselves', async () => {
  const { call, baseUrl } = await serve()
  const paths = [`${list}/${ids.event}`, `/groups/${ids.project}/events/${ids.event}`]
  for (const path of paths) {
    const plain = (await call('GET', path)).body
    expect(plain).not.toHaveProperty('raw')
    expect(plain.links).toEqual([{ rel: 'self', href: baseUrl + path }])
    expect((await call('GET', `${path}?includeRaw=true`)).body.raw).toEqual({ note: 'extra' })
  }
  expect((await call('GET', list)).body.results[0]).not.toHaveProperty('raw')
  expect((await call('GET', `${list}?includeRaw=true`)).body.results[0].raw).toEqual({ note: 'extra' })
})

test('endpoints 19 and 20 show diffs, and 21 does under open.diffsInOrganizationEvent=present', async () => {
  const { call } = await serve()
  expect((await call('GET', list)).body.results[0].diffs).toHaveLength(1)
  expect((await call('GET', `/groups/${ids.project}/events/${ids.event}`)).body.diffs).toHaveLength(1)
  expect((await call('GET', `${list}/${ids.event}`)).body).not.toHaveProperty('diffs')
  const present = await serveWith({ 'open.diffsInOrganizationEvent': 'present' })
  expect((await present.call('GET', `${list}/${ids.event}`)).body.diffs).toHaveLength(1)
})

test('endpoint 20 needs Project Read Only, endpoints 19 and 21 Organization Member', async () => {
  const { as } = await serve()
  const project = `/groups/${ids.project}/events/${ids.event}`
  const statuses = async (key: Key) =>
    [
      await as(key)('GET', list),
      await as(key)('GET', project),
      await as(key)('GET', `${list}/${ids.event}`),
    ].map(({ status }) => status)
  expect(await statuses(keys.ci)).toEqual([200, 200, 200])
  expect(await statuses(keys.reader)).toEqual([401, 200, 401])
  expect(await statuses(keys.member)).toEqual([200, 401, 200])
})

test.each([
  ['owners', 'ci', 200],
  ['any', 'ci', 200],
  ['none', 'ci', 401],
  ['none', 'member', 200],
] as const)(
  'under open.impliedRoles=%s the key %s reads organization events with %i',
  async (value, key, status) => {
    const { as } = await serveWith({ 'open.impliedRoles': value })
    expect((await as(keys[key])('GET', list)).status).toBe(status)
  },
)

test.each([
  ['all', ['MAINTENANCE_WINDOW_CHANGED_AUDIT', 'MAINTENANCE_WINDOW_ADDED_AUDIT']],
  ['some', ['MAINTENANCE_WINDOW_ADDED_AUDIT']],
  ['none', []],
])('under open.events=%s a window leaves %j', async (value, expected) => {
  const service = await serve({ fixture: dated, settings: { 'open.events': value } })
  const { id } = (await service.call('POST', windows, newWindow)).body
  await service.call('PATCH', windows + id, { description: 'x' })
  expect((await types(service)).slice(0, -4)).toEqual(expected)
})

test('open.projectEventsInOrganizationList=excluded leaves project events to endpoint 20', async () => {
  const service = await serveWith({ 'open.projectEventsInOrganizationList': 'excluded' })
  await service.call('POST', windows, newWindow)
  expect(await types(service)).toEqual([])
  expect((await service.call('GET', `${list}/${ids.event}`)).status).toBe(404)
  expect((await service.call('GET', `/groups/${ids.project}/events/${ids.event}`)).status).toBe(200)
})

test('open.eventDelay makes an event visible later, with the time of the write', async () => {
  const service = await serveWith({ 'open.eventDelay': 'PT5M' })
  await service.control('POST', '/clock', { now: '2030-01-01T00:00:00Z' })
  await service.call('POST', windows, newWindow)
  expect(await types(service, '?minDate=2029-01-01T00:00:00Z')).toEqual([])
  await service.control('POST', '/clock', { advance: 'PT4M59S' })
  expect(await types(service, '?minDate=2029-01-01T00:00:00Z')).toEqual([])
  await service.control('POST', '/clock', { advance: 'PT1S' })
  const { body } = await service.call('GET', `${list}?minDate=2029-01-01T00:00:00Z`)
  expect(body.results).toMatchObject([{ created: '2030-01-01T00:00:00Z' }])
})

test('open.eventNames=foreign and open.remoteAddress change what an event says', async () => {
  const service = await serveWith({ 'open.eventNames': 'foreign', 'open.remoteAddress': 'users' })
  await service.call('POST', windows, newWindow)
  await service.as(keys.sam)('POST', windows, newWindow)
  const { results } = (await service.call('GET', list)).body
  expect(results[0]).toMatchObject({
    eventTypeName: 'X_MAINTENANCE_WINDOW_ADDED_AUDIT',
    remoteAddress: '127.0.0.1',
  })
  expect(results[0]).toMatchObject({ userId: ids.sam, username: 'sam@example.com' })
  expect(results[0]).not.toHaveProperty('publicKey')
  expect(results[1]).not.toHaveProperty('remoteAddress')
})

test.each([
  ['values', ['alertTypeNames', 'endDate', 'startDate']],
  ['empty', []],
])('under open.rawDocument=%s, the raw document of a creation has %j', async (value, fields) => {
  const service = await serveWith({ 'open.rawDocument': value })
  await service.call('POST', windows, newWindow)
  const { results } = (await service.call('GET', `${list}?includeRaw=true`)).body
  expect(Object.keys(results[0].raw).toSorted()).toStrictEqual(fields)
})

test('an event that a key has triggered names no user', async () => {
  const actors = { apiKeyId: ids.ciKey, publicKey: 'ciadmin', userId: ids.sam, username: 'sam@example.com' }
  const event = { id: ids.event, eventTypeName: 'USERS', ...actors }
  const { call } = await serve({ fixture: { organizations: [{ ...organization, events: [event] }] } })
  const { body } = await call('GET', `${list}/${ids.event}`)
  expect(Object.keys(actors).filter((name) => name in body)).toEqual(['apiKeyId', 'publicKey'])
})
