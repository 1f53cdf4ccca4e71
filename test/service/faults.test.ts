import { expect, test } from 'vitest'
import { newWindow } from './support/endpoints.ts'
import { ids } from './support/fixture.ts'
import { serve } from './support/service.ts'

const configs = `/groups/${ids.project}/alertConfigs`
const windows = `/groups/${ids.project}/maintenanceWindows/`

const windowsOf = async (service: Awaited<ReturnType<typeof serve>>): Promise<unknown[]> =>
  (await service.control('GET', '/dump')).body.projects[0].maintenanceWindows

test('a status is answered before the commit, with Retry-After, as often as the count says', async () => {
  const service = await serve()
  await service.control('POST', '/faults', {
    fault: 'status',
    status: 503,
    retryAfter: 2,
    count: 2,
    method: 'POST',
  })
  for (const expected of [
    [503, '2'],
    [503, '2'],
    [200, undefined],
  ]) {
    const { status, headers } = await service.call('POST', windows, newWindow)
    expect([status, headers['retry-after']]).toEqual(expected)
  }
  expect(await windowsOf(service)).toHaveLength(1)
})

test('a fault meets the method and the path that it names alone, and never a challenge', async () => {
  const service = await serve()
  await service.control('POST', '/faults', {
    fault: 'status',
    status: 500,
    method: 'GET',
    path: '/alertConfigs$',
    count: 1,
  })
  expect((await service.call('GET', `/groups/${ids.project}/alerts`)).status).toBe(200)
  expect((await service.call('PATCH', `${configs}/${ids.config}`, { enabled: true })).status).toBe(200)
  expect((await service.call('GET', `${configs}?pretty=true`)).status).toBe(500)
  expect((await service.call('GET', configs)).status).toBe(200)
  await service.control('POST', '/faults', { fault: 'status', status: 500, path: 'pageNum=2', count: 1 })
  expect((await service.call('GET', configs)).status).toBe(200)
  expect((await service.call('GET', `${configs}?pageNum=2`)).status).toBe(500)
})

test('latency waits before the commit', async () => {
  const service = await serve()
  await service.control('POST', '/faults', { fault: 'latency', ms: 300, count: 1, method: 'POST' })
  // The first request of a client is answered by a challenge, to which no fault applies.
  await service.call('GET', configs)
  const slow = service.call('POST', windows, newWindow)
  expect(await windowsOf(service)).toEqual([])
  expect((await slow).status).toBe(200)
  expect(await windowsOf(service)).toHaveLength(1)
})

test.each([
  ['reset-before', 0],
  ['reset-after', 1],
])('%s resets the connection, and %i window is there', async (fault, there) => {
  const service = await serve()
  await service.control('POST', '/faults', { fault, count: 1 })
  await expect(service.call('POST', windows, newWindow)).rejects.toThrow(/ECONNRESET|hang up/)
  expect(await windowsOf(service)).toHaveLength(there)
  expect((await service.control('GET', '/requests')).body.log.at(-1).status).toBe(0)
})

test('truncate cuts the body after the commit', async () => {
  const service = await serve()
  await service.control('POST', '/faults', { fault: 'truncate', count: 1 })
  await expect(service.call('POST', windows, newWindow)).rejects.toThrow(/aborted|ECONNRESET|hang up/)
  expect(await windowsOf(service)).toHaveLength(1)
})

test('malformed is no JSON, wrong-type is JSON of another shape, duplicate-keys repeats one, huge is large', async () => {
  const service = await serve()
  const get = async (fault: object) => {
    await service.control('POST', '/faults', { ...fault, count: 1 })
    return await service.call('GET', configs)
  }
  const good = await service.call('GET', configs)
  const malformed = await get({ fault: 'malformed' })
  expect([malformed.status, malformed.body]).toEqual([200, undefined])
  expect((await get({ fault: 'wrong-type' })).body).toMatchObject({ results: { items: 2 }, totalCount: '2' })
  const repeated = (await get({ fault: 'duplicate-keys' })).text
  expect(repeated.match(/"results":/g)).toHaveLength(2)
  const huge = await get({ fault: 'huge', bytes: 1_000_000 })
  expect(huge.text.length).toBe(good.text.length + 1_000_000)
  expect(huge.body).toEqual(good.body)
})

test('faults of one body add up, in any order', async () => {
  const service = await serve()
  for (const fault of ['huge', 'malformed', 'duplicate-keys', 'wrong-type'])
    await service.control('POST', '/faults', { fault, bytes: 1000, count: 1 })
  const { status, body, text } = await service.call('GET', configs)
  expect([status, body]).toEqual([200, undefined])
  expect(text).toMatch(/^\{"results":"repeated","results":\{"items":2\}.* "\}\{ {1000}$/)
})

test('wrong-type leaves an answer that is no JSON as it is', async () => {
  const service = await serve({ settings: { 'open.errorBody': 'text' } })
  await service.control('POST', '/faults', { fault: 'wrong-type', count: 1 })
  const { status, text } = await service.call('GET', `/groups/${ids.absent}/alerts`)
  expect([status, text]).toEqual([404, 'Not Found'])
})

test('a refusal is spoilt like any other answer', async () => {
  const service = await serve()
  const path = `/groups/${ids.absent}/alerts`
  await service.control('POST', '/faults', { fault: 'malformed', count: 1 })
  const spoilt = await service.call('GET', path)
  expect([spoilt.status, spoilt.body]).toEqual([404, undefined])
  await service.control('POST', '/faults', { fault: 'reset-after', count: 1 })
  await expect(service.call('GET', path)).rejects.toThrow(/ECONNRESET|hang up/)
})

test('stale-nonce answers 401 with stale=true, and nothing is committed', async () => {
  const service = await serve()
  await service.call('GET', configs)
  await service.control('POST', '/faults', { fault: 'stale-nonce', count: 1 })
  // The client takes the new nonce and sends again, as it should: the first request was not processed.
  expect((await service.call('POST', windows, newWindow)).status).toBe(200)
  expect(await windowsOf(service)).toHaveLength(1)
  expect((await service.control('GET', '/requests')).body.counts.challenges).toBe(2)
})

test('shift-pages moves the later pages and changes the total', async () => {
  const service = await serve()
  const ids2 = async (page: number) => {
    const { body } = await service.call('GET', `${configs}?itemsPerPage=1&pageNum=${page}`)
    return [body.totalCount, ...body.results.map((config: { id: string }) => config.id)]
  }
  await service.control('POST', '/faults', { fault: 'shift-pages', count: 1 })
  expect(await ids2(1)).toEqual([2, ids.config])
  expect(await ids2(2)).toEqual([3, ids.config])
  expect(await ids2(2)).toEqual([2, ids.metricConfig])
  await service.control('POST', '/faults', { fault: 'shift-pages', shift: -1, count: 1 })
  expect(await ids2(2)).toEqual([1])
})

test('the links of a page that shift-pages moves lead to the last item, which it moves too', async () => {
  const service = await serve()
  await service.control('POST', '/faults', { fault: 'shift-pages' })
  const seen = []
  let next: string | undefined = `${configs}?itemsPerPage=1`
  while (next !== undefined) {
    const { body } = await service.call('GET', next)
    seen.push(body.results[0].id)
    next = body.links.find(({ rel }: { rel: string }) => rel === 'next')?.href.replace(service.baseUrl, '')
  }
  expect(seen).toEqual([ids.config, ids.config, ids.metricConfig])
})

test('late-events and lose-events change the events of the writes they meet', async () => {
  const service = await serve()
  await service.control('POST', '/clock', { now: '2030-01-01T00:00:00Z' })
  const seen = async () =>
    (await service.call('GET', `/orgs/${ids.org}/events?minDate=2030-01-01T00:00:00Z`)).body.totalCount
  await service.control('POST', '/faults', { fault: 'late-events', ms: 60_000, count: 1 })
  await service.call('POST', windows, newWindow)
  expect(await seen()).toBe(0)
  await service.control('POST', '/clock', { advance: 'PT1M' })
  expect(await seen()).toBe(1)
  await service.control('POST', '/faults', { fault: 'lose-events', count: 1 })
  await service.call('POST', windows, newWindow)
  expect(await seen()).toBe(1)
  await service.call('POST', windows, newWindow)
  expect(await seen()).toBe(2)
})

const statusesOfOneRun = async () => {
  const service = await serve()
  await service.control('POST', '/faults', { fault: 'status', status: 500, probability: 0.5, seed: 7 })
  const statuses = []
  for (let index = 0; index < 20; index += 1) statuses.push((await service.call('GET', configs)).status)
  return statuses
}

test('a probability with a seed meets the same requests each time', async () => {
  const first = await statusesOfOneRun()
  expect(new Set(first)).toEqual(new Set([200, 500]))
  expect(await statusesOfOneRun()).toEqual(first)
})

test('DELETE clears the faults, and GET shows them', async () => {
  const { call, control } = await serve()
  const { body } = await control('POST', '/faults', { fault: 'status', status: 500, count: 3 })
  await call('GET', configs)
  expect((await control('GET', '/faults')).body.results).toMatchObject([{ id: body.id, left: 2 }])
  await control('DELETE', '/faults')
  expect((await call('GET', configs)).status).toBe(200)
})
