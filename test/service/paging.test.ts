import { describe, expect, test } from 'vitest'
import { ids, keys } from './support/fixture.ts'
import { serve } from './support/service.ts'

const total = 1001
const many = <T>(make: (index: number) => T): T[] => Array.from({ length: total }, (_, index) => make(index))
const hex = (index: number): string => index.toString(16).padStart(24, '0')
const address = (index: number): string => `10.1.${Math.floor(index / 256)}.${index % 256}`

// 1,001 items for each list that can be that long.
const fixture = {
  organizations: [
    {
      id: ids.org,
      apiKeys: [{ id: ids.ciKey, ...keys.ci, accessList: many((index) => ({ ipAddress: address(index) })) }],
      events: many((index) => ({ id: hex(index), eventTypeName: 'ALERT_CONFIG_ADDED_AUDIT' })),
    },
  ],
  projects: [
    {
      id: ids.project,
      alertConfigs: many((index) => ({ id: hex(index) })),
      alerts: many((index) => ({ id: hex(index), alertConfigId: hex(0), status: 'OPEN' })),
      agents: many((index) => ({ typeName: 'BACKUP', hostname: `host${index}` })),
      hosts: [{ id: ids.host, disks: many((index) => ({ partitionName: `disk${index}` })) }],
    },
  ],
}

const lists = [
  { number: 1, path: `/orgs/${ids.org}/apiKeys/${ids.ciKey}/accessList`, name: 'ipAddress' },
  { number: 4, path: `/groups/${ids.project}/alerts`, name: 'id' },
  { number: 5, path: `/groups/${ids.project}/alertConfigs`, name: 'id' },
  { number: 12, path: `/groups/${ids.project}/agents/BACKUP`, name: 'hostname' },
  { number: 16, path: `/groups/${ids.project}/hosts/${ids.host}/disks`, name: 'partitionName' },
  { number: 19, path: `/orgs/${ids.org}/events`, name: 'id' },
]

describe.each(lists)('the pages of endpoint $number', ({ number, path, name }) => {
  test(`endpoint ${number} pages 100 items by default, and 1, 500 or the rest when asked`, async () => {
    const { call } = await serve({ fixture })
    const sizes = []
    for (const query of [
      '',
      '?itemsPerPage=1',
      '?itemsPerPage=500',
      '?itemsPerPage=501',
      '?itemsPerPage=500&pageNum=3',
    ]) {
      const { body } = await call('GET', path + query)
      expect(body.totalCount).toBe(total)
      sizes.push(body.results.length)
    }
    expect(sizes).toEqual([100, 1, 500, 500, 1])
  })

  test(`endpoint ${number} answers an empty page beyond the end`, async () => {
    const { call } = await serve({ fixture })
    for (const page of ['4', '999999999', '99999999999999999999999']) {
      const { status, body } = await call('GET', `${path}?itemsPerPage=500&pageNum=${page}`)
      expect([status, body.results, body.totalCount]).toEqual([200, [], total])
    }
  })

  test(`endpoint ${number} has every item on exactly one page, and links that lead through them`, async () => {
    const { call, baseUrl } = await serve({ fixture })
    const seen = []
    let next: string | undefined = `${path}?itemsPerPage=400`
    const relations = []
    while (next !== undefined) {
      const { body } = await call('GET', next)
      seen.push(...body.results.map((item: Record<string, string>) => item[name]))
      relations.push(body.links.map((link: { rel: string }) => link.rel))
      const link = body.links.find(({ rel }: { rel: string }) => rel === 'next')
      next = link?.href.replace(baseUrl, '')
    }
    expect(relations).toEqual([
      ['self', 'next'],
      ['self', 'previous', 'next'],
      ['self', 'previous'],
    ])
    expect(new Set(seen).size).toBe(total)
    expect(seen.length).toBe(total)
  })
})

test('a page number or size below 1 or not whole is refused', async () => {
  const { call } = await serve()
  for (const name of ['pageNum', 'itemsPerPage'])
    for (const value of ['0', '-1', '1.5', 'x', '', '%201', '1e3', `1&${name}=2`]) {
      const { status, body } = await call('GET', `/groups/${ids.project}/alertConfigs?${name}=${value}`)
      expect([status, body.errorCode]).toEqual([400, 'INVALID_QUERY_PARAMETER'])
    }
})

test('open.itemsPerPageOverMax=reject refuses more than 500 items', async () => {
  const { call } = await serve({ settings: { 'open.itemsPerPageOverMax': 'reject' } })
  const path = `/groups/${ids.project}/alertConfigs?itemsPerPage=`
  expect((await call('GET', `${path}500`)).status).toBe(200)
  expect((await call('GET', `${path}501`)).status).toBe(400)
})

test('open.listLinks=empty leaves the links of a list out', async () => {
  const { call } = await serve({ settings: { 'open.listLinks': 'empty' } })
  expect((await call('GET', `/groups/${ids.project}/alertConfigs`)).body.links).toEqual([])
})

test('open.unknownQueryParameters=reject refuses what an endpoint does not have', async () => {
  const path = `/groups/${ids.project}/automationStatus?pageNum=1`
  expect((await (await serve()).call('GET', path)).status).toBe(200)
  const strict = await serve({ settings: { 'open.unknownQueryParameters': 'reject' } })
  expect((await strict.call('GET', path)).body.errorCode).toBe('INVALID_QUERY_PARAMETER')
})
