import { expect, test } from 'vitest'
import { newWindow } from '../support/endpoints.ts'
import { ids } from '../support/fixture.ts'
import { type TestService, serve, serveWith } from '../support/service.ts'

const list = `/groups/${ids.project}/maintenanceWindows`

const atNoon = async (settings: Record<string, string> = {}): Promise<TestService> => {
  const service = await serveWith(settings)
  await service.control('POST', '/clock', { now: '2030-01-01T12:00:00Z' })
  return service
}

const hours = (from: number, to: number) => ({
  startDate: `2030-01-01T${String(from).padStart(2, '0')}:00:00Z`,
  endDate: `2030-01-01T${String(to).padStart(2, '0')}:00:00Z`,
})

test('endpoint 14 answers the window with its types in the order of the service', async () => {
  const { call } = await atNoon()
  const { status, body } = await call('POST', `${list}/`, newWindow)
  expect(status).toBe(200)
  expect(body).toEqual({
    ...newWindow,
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    groupId: ids.project,
    created: '2030-01-01T12:00:00Z',
    updated: '2030-01-01T12:00:00Z',
    alertTypeNames: ['HOST', 'REPLICA_SET'],
    links: [],
  })
})

test('endpoint 14 creates a window at one instant, however long that takes', async () => {
  let now = Date.parse('2030-01-01T12:00:00Z')
  const { call } = await serve({ now: () => (now += 1) })
  const { body } = await call('POST', `${list}/`, newWindow)
  expect(body.updated).toBe(body.created)
})

test('endpoint 14 is met without its trailing slash, and returns a description only if one was given', async () => {
  const { call } = await serve()
  const { description: _none, ...rest } = newWindow
  for (const body of [rest, { ...rest, description: '' }]) {
    const reply = await call('POST', list, body)
    expect(reply.status).toBe(200)
    expect(reply.body).not.toHaveProperty('description')
  }
})

test('endpoint 14 reads dates with an offset, and without a zone as UTC', async () => {
  const { call } = await serve()
  const dates = { startDate: '2126-12-05T04:00:00+02:00', endDate: '2126-12-05T04:00:00' }
  const { body } = await call('POST', `${list}/`, { ...newWindow, ...dates })
  expect(body).toMatchObject({ startDate: '2126-12-05T02:00:00Z', endDate: '2126-12-05T04:00:00Z' })
})

test.each([
  '2126-12-05T02:30Z',
  '2126-12-05T04:30:00+0200',
  '2126-12-05T04:30:00+02',
  '2126-12-05T02:30:00,000Z',
  '21261205T023000Z',
  '21261205T0230Z',
  '21261205T003000-0200',
  '2126-W49-4T02:30:00Z',
  '2126W494T0230Z',
  '2126-339T02:30:00Z',
  '2126339T023000Z',
  '2126-12-06T02:29:00+23:59',
])('endpoint 14 reads the ISO 8601 form %s', async (startDate) => {
  const { call } = await serve()
  const { body } = await call('POST', `${list}/`, { ...newWindow, startDate })
  expect(body).toMatchObject({ startDate: '2126-12-05T02:30:00Z' })
})

test('endpoint 14 says which dates it takes', async () => {
  const { call } = await serve()
  const { body } = await call('POST', `${list}/`, { ...newWindow, startDate: '2126-12-05' })
  expect(body.detail).toBe(
    'startDate must be a date and a time of day in ISO 8601, like 2026-01-01T00:00:00Z, without hour 24 and leap seconds.',
  )
})

test.each([
  [{ alertTypeNames: undefined }, 'MISSING_MAINTENANCE_WINDOW_ALERT_TYPE_NAME'],
  [{ startDate: undefined }, 'MISSING_MAINTENANCE_WINDOW_START_DATE'],
  [{ endDate: undefined }, 'MISSING_MAINTENANCE_WINDOW_END_DATE'],
  [{ alertTypeNames: [] }, 'INVALID_ATTRIBUTE'],
  [{ alertTypeNames: 'HOST' }, 'INVALID_ATTRIBUTE'],
  [{ alertTypeNames: ['HOST', 'OTHER'] }, 'INVALID_ENUM_VALUE'],
  [{ description: null }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-12-05' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-02-29T00:00:00Z' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-12-05T24:00:00Z' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-12-05T02:00:60Z' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-12-05 02:00:00Z' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-12-05T' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-12T02:00Z' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '20261205T02:00:00Z' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-12-05T0200Z' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-W53-1T02:00Z' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-W00-1T02:00Z' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-W49-8T02:00Z' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-366T02:00Z' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-000T02:00Z' }, 'INVALID_ATTRIBUTE'],
  [{ startDate: 4_952_000_000 }, 'INVALID_ATTRIBUTE'],
  [{ startDate: '2126-12-05T05:00:00Z' }, 'MAINTENANCE_WINDOW_START_DATE_AFTER_END_DATE'],
  [{ startDate: newWindow.endDate }, 'MAINTENANCE_WINDOW_START_DATE_AFTER_END_DATE'],
])('endpoint 14 refuses %j with %s', async (change, errorCode) => {
  const { call } = await serve()
  const { status, body } = await call('POST', `${list}/`, { ...newWindow, ...change })
  expect([status, body.errorCode]).toEqual([400, errorCode])
})

test('endpoint 15 changes each field, and leaves the others', async () => {
  const { call, control } = await serve()
  const { id, ...created } = (await call('POST', `${list}/`, newWindow)).body
  for (const change of [
    { description: 'Other' },
    { alertTypeNames: ['BACKUP'] },
    { startDate: '2126-12-05T03:00:00Z' },
    { endDate: '2126-12-05T05:00:00Z' },
  ]) {
    const { status, body } = await call('PATCH', `${list}/${id}`, change)
    expect(status).toBe(201)
    expect(body).toMatchObject(change)
  }
  const { projects } = (await control('GET', '/dump')).body
  expect(projects[0].maintenanceWindows).toMatchObject([
    {
      id,
      created: created.created,
      description: 'Other',
      alertTypeNames: ['BACKUP'],
      startDate: '2126-12-05T03:00:00Z',
      endDate: '2126-12-05T05:00:00Z',
    },
  ])
})

test('endpoint 15 needs one field, and a start before the end', async () => {
  const { call } = await serve()
  const { id } = (await call('POST', `${list}/`, newWindow)).body
  for (const [change, errorCode] of [
    [{}, 'MISSING_ONE_OF_ATTRIBUTES'],
    [{ startDate: '2127-01-01T00:00:00Z' }, 'MAINTENANCE_WINDOW_START_DATE_AFTER_END_DATE'],
    [{ endDate: '2001-01-01T00:00:00Z' }, 'MAINTENANCE_WINDOW_START_DATE_AFTER_END_DATE'],
    [{ alertTypeNames: [] }, 'INVALID_ATTRIBUTE'],
  ] as const) {
    const { status, body } = await call('PATCH', `${list}/${id}`, change)
    expect([status, body.errorCode]).toEqual([400, errorCode])
  }
})

test('endpoint 15 refuses a window from the instant of its end on', async () => {
  const { call, control } = await atNoon()
  const { id } = (await call('POST', `${list}/`, { ...newWindow, ...hours(11, 13) })).body
  await control('POST', '/clock', { now: '2030-01-01T12:59:59Z' })
  expect((await call('PATCH', `${list}/${id}`, { description: 'x' })).status).toBe(201)
  await control('POST', '/clock', { now: '2030-01-01T13:00:00Z' })
  const { status, body } = await call('PATCH', `${list}/${id}`, {
    description: 'y',
    endDate: '2031-01-01T00:00:00Z',
  })
  expect([status, body.errorCode]).toEqual([400, 'CANNOT_UPDATE_ENDED_MAINTENANCE_WINDOW'])
})

test('a window that has begun is ended early, and one that has not is moved to a second and ended', async () => {
  const { call } = await atNoon()
  const begun = (await call('POST', `${list}/`, { ...newWindow, ...hours(11, 13) })).body
  expect((await call('PATCH', `${list}/${begun.id}`, { endDate: '2030-01-01T12:00:01Z' })).status).toBe(201)
  const later = (await call('POST', `${list}/`, { ...newWindow, ...hours(14, 15) })).body
  const now = { startDate: '2030-01-01T12:00:01Z', endDate: '2030-01-01T12:00:02Z' }
  expect((await call('PATCH', `${list}/${later.id}`, now)).body).toMatchObject(now)
})

test('endpoints 14 and 15 leave events that name the window', async () => {
  const { call } = await serve()
  const { id } = (await call('POST', `${list}/`, newWindow)).body
  await call('PATCH', `${list}/${id}`, { description: 'x' })
  const { results } = (await call('GET', `/orgs/${ids.org}/events`)).body
  expect(results.slice(0, 2)).toMatchObject([
    { eventTypeName: 'MAINTENANCE_WINDOW_CHANGED_AUDIT', maintenanceWindowId: id, groupId: ids.project },
    { eventTypeName: 'MAINTENANCE_WINDOW_ADDED_AUDIT', maintenanceWindowId: id, apiKeyId: ids.ciKey },
  ])
})

const fractional = { startDate: '2126-12-05T02:00:00.5Z' }
const past = hours(11, 13)
const equal = { startDate: newWindow.endDate }

test.each([
  ['open.fractionalTimestamps', 'reject', fractional, 400, 'FRACTIONAL_TIMESTAMP'],
  ['open.fractionalTimestamps', 'accept', fractional, 200, undefined],
  ['open.alertTypeNames', 'any', { alertTypeNames: ['OTHER'] }, 200, undefined],
  ['open.windowPastDates', 'reject', past, 400, 'INVALID_ATTRIBUTE'],
  ['open.windowPastDates', 'accept', past, 200, undefined],
  ['open.windowEqualDates', 'accept', equal, 200, undefined],
  ['open.windowCreateStatus', '201', {}, 201, undefined],
  ['open.validationStatus', '422', equal, 422, 'MAINTENANCE_WINDOW_START_DATE_AFTER_END_DATE'],
])('under %s=%s endpoint 14 answers %j with %i', async (name, value, change, status, errorCode) => {
  const { call } = await atNoon({ [name]: value })
  const reply = await call('POST', `${list}/`, { ...newWindow, ...change })
  expect([reply.status, reply.body.errorCode]).toEqual([status, errorCode])
})

test('open.windowUpdateStatus and open.endedWindowStatus are the statuses of endpoint 15', async () => {
  const { call, control } = await atNoon({
    'open.windowUpdateStatus': '200',
    'open.endedWindowStatus': '409',
  })
  const { id } = (await call('POST', `${list}/`, { ...newWindow, ...hours(11, 13) })).body
  expect((await call('PATCH', `${list}/${id}`, { description: 'x' })).status).toBe(200)
  await control('POST', '/clock', { advance: 'PT1H' })
  expect((await call('PATCH', `${list}/${id}`, { description: 'x' })).status).toBe(409)
})
