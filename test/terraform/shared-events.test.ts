import { createClient } from '@deploymgmt/provider/api'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { SharedEvents } from '../../provider/terraform/connection/shared-events.ts'
import { fixtureWith, install, ORG, PROJECT, type Installation } from '../support/installation.ts'

const PATH = `/orgs/${ORG}/events`
const NOW = Math.floor(Date.now() / 1000) * 1000
const HOUR = 3_600_000
const at = (hoursAgo: number): string => new Date(NOW - hoursAgo * HOUR).toISOString().replace('.000Z', 'Z')

let here: Installation
let events: SharedEvents
let close: () => Promise<void>

/** One event in each of the last 600 hours: more than a page. */
beforeEach(async () => {
  const base = fixtureWith() as { organizations: object[] }
  const hourly = Array.from({ length: 600 }, (_, index) => ({
    id: `6b0000000000${(600 - index).toString(16).padStart(12, '0')}`,
    eventTypeName: 'ALERT_CONFIG_ADDED_AUDIT',
    created: at(index + 1),
  }))
  const organizations = base.organizations.map((each) => ({ ...each, events: hourly }))
  here = await install({ fixture: { ...base, organizations } })
  const client = createClient({
    totalRetryMs: 2_000,
    baseUrl: here.env['DEPLOYMGMT_BASE_URL'] ?? '',
    publicKey: here.env['DEPLOYMGMT_PUBLIC_KEY'] ?? '',
    privateKey: here.env['DEPLOYMGMT_PRIVATE_KEY'] ?? '',
    allowHttp: true,
  })
  close = () => client.close()
  events = new SharedEvents(client)
  // The first answer tells the time.
  await client.list(`/groups/${PROJECT}/alertConfigs`)
  await here.forgetRequests()
})
afterEach(async () => {
  await close()
  await here.close()
})

const since = async (hoursAgo: number, notOlderThanMs?: number): Promise<readonly string[]> => {
  const page = await events.list(PATH, { minDate: at(hoursAgo) }, {}, notOlderThanMs)
  expect(page.complete).toBe(true)
  const ids = page.results.map((event) => (event as { id: string }).id)
  expect(new Set(ids).size).toBe(ids.length)
  return page.results.map((event) => (event as { created: string }).created)
}
/** From how many hours ago on events were asked for, for each request. */
const asked = async (): Promise<number[]> =>
  (await here.requests()).log.flatMap(({ path }) => {
    const [, from] = /minDate=([^&]*)/.exec(decodeURIComponent(path)) ?? []
    return from === undefined ? [] : [Math.round((NOW - Date.parse(from)) / HOUR)]
  })

it('events are read once for all that need no older ones', async () => {
  expect(await since(10)).toHaveLength(10)
  expect(await since(10)).toHaveLength(10)
  expect(await since(3)).toHaveLength(10)
  expect(await asked()).toEqual([10])
})

it('events are read further back when needed, at least twice as far, and none of them twice', async () => {
  await since(10)
  expect((await since(11)).at(-1)).toBe(at(20))
  expect((await since(90)).at(-1)).toBe(at(90))
  expect(await asked()).toEqual([10, 20, 90])
  // Newest first, without gaps.
  expect(await since(90)).toEqual(Array.from({ length: 90 }, (_, index) => at(index + 1)))
})

it('recent events are read again for callers that need fresh ones', async () => {
  await since(50)
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d0f3`, { enabled: true })
  expect(await since(50)).toHaveLength(50)
  const all = await since(50, -1)
  expect(all.length).toBeGreaterThan(50)
  expect(all.slice(-50)).toEqual(Array.from({ length: 50 }, (_, index) => at(index + 1)))
  expect(await asked()).toEqual([50, 0])
})

it('events are not kept where reading them has failed', async () => {
  await here.control('POST', 'faults', {
    method: 'GET',
    path: 'events',
    fault: 'status',
    status: 403,
    count: 1,
  })
  await expect(since(10)).rejects.toThrow('does not permit')
  expect(await since(10)).toHaveLength(10)
})

it('whoever asks while a service is down does not wait for it again, until that took as long as the first time', async () => {
  const down = { method: 'GET', path: 'events', fault: 'status', status: 500, count: 9999 }
  await here.control('POST', 'faults', down)
  await expect(since(10)).rejects.toThrow('failed')
  const before = await asked()
  expect(before.length).toBeGreaterThan(1)
  await expect(since(10)).rejects.toThrow('failed')
  for (const hoursAgo of [20, 30, 10]) await expect(since(hoursAgo)).rejects.toThrow('failed')
  expect(await asked()).toEqual(before)
  await here.control('DELETE', 'faults')
  await expect.poll(() => since(10).catch(() => []), { timeout: 60_000 }).toHaveLength(10)
})

it('a failed read of older events is told for as long as it took, however long ago the newer ones were read', async () => {
  await since(10)
  const real = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => real() + HOUR)
  onTestFinished(() => later.mockRestore())
  await here.control('POST', 'faults', {
    method: 'GET',
    path: 'events',
    fault: 'status',
    status: 500,
    count: 9999,
  })
  await expect(since(20)).rejects.toThrow('failed')
  await here.control('DELETE', 'faults')
  await expect.poll(() => since(10).catch(() => []), { timeout: 60_000 }).toHaveLength(10)
})

it('a caller that asks for more fields of the events, or for more pages of them, gets what it asks for', async () => {
  await since(10)
  const raw = await events.list(PATH, { minDate: at(10), includeRaw: true })
  expect(raw.results.every((event) => Object.hasOwn(event as object, 'raw'))).toBe(true)
  const cut = await events.list(PATH, { minDate: at(600) }, { maxPages: 1 })
  expect(cut.complete).toBe(false)
  expect(await since(600)).toHaveLength(600)
})

it('what was cut is not read further back, since it would be cut again', async () => {
  const cut = await events.list(PATH, { minDate: at(600) }, { maxPages: 1 })
  const earlier = await events.list(PATH, { minDate: at(700) }, { maxPages: 1 })
  expect(earlier).toEqual(cut)
  expect(earlier.complete).toBe(false)
  expect(await asked()).toEqual([600])
})
