import type { Client } from '@deploymgmt/provider/api'
import {
  agents,
  alert,
  alerts,
  automationStatus,
  integrations,
  organizationEvents,
  userAccessListEntry,
} from '@deploymgmt/provider/data-sources'
import { MalformedAnswerError, NotFoundError } from '@deploymgmt/provider/errors'
import { describe, expect, test } from 'vitest'
import { readDataSource } from '../../support/read-data-source.ts'
import { begin, failure, json } from '../api/support/service.ts'

const projectId = '5c8100bcf2a30b12ff88258f'
const orgId = '5980cfdf0b6d97029d82f86e'

/** A service that gives one answer to everything, for answers that the embedded service never gives. */
const answering = async (body: unknown, status = 200): Promise<Client> =>
  (await begin((_, response) => json(response, status, body))).client
const listOf = (...results: readonly unknown[]): unknown => ({
  results,
  links: [],
  totalCount: results.length,
})

/** A service with 7 items whose pages have 2 at most. */
const shortPages = () =>
  begin(({ query }, response) => {
    const size = Math.min(2, Number(query.get('itemsPerPage')))
    const from = (Number(query.get('pageNum')) - 1) * size
    const ids = Array.from({ length: 7 }, (_, index) => `e${String(index)}`)
    const results = ids.slice(from, from + size).map((id) => ({ id }))
    json(response, 200, { results, links: [], totalCount: 7 })
  })

describe('an answer', () => {
  test('is shown by the definition’s names, with unknown fields as they came', async () => {
    const client = await answering({
      id: 'a1',
      groupId: projectId,
      currentValue: { number: 0, units: 'RAW', precision: 2 },
      serviceExtra: { groupId: 'inner' },
    })
    expect(await readDataSource(client, alert, { projectId, alertId: 'a1' })).toEqual({
      id: 'a1',
      projectId,
      currentValue: { number: 0, units: 'RAW', precision: 2 },
      serviceExtra: { groupId: 'inner' },
    })
  })

  test('may have null wherever it has a value', async () => {
    const client = await answering(listOf({ ipAddress: null, cidrBlock: '192.0.2.0/24', links: null }))
    const given = { userId: orgId, accessListEntry: '192.0.2.0/24' }
    const { results } = await readDataSource(client, userAccessListEntry, given)
    expect(results).toEqual([{ ipAddress: null, cidrBlock: '192.0.2.0/24', links: null }])
  })

  test('shows no secret that a service forgot to redact', async () => {
    const client = await answering(
      listOf(
        { type: 'PAGING', serviceKey: 'bare-secret' },
        { type: 'CHAT_A', apiToken: '********cdef' },
        { type: 'METRICS_SCRAPER', tlsPemPassword: 'bare-secret' },
        { type: 'CHAT_B', notificationToken: '' },
      ),
    )
    const { results } = await readDataSource(client, integrations, { projectId })
    expect(results).toEqual([
      { type: 'PAGING', serviceKey: '********' },
      { type: 'CHAT_A', apiToken: '********cdef' },
      { type: 'METRICS_SCRAPER', tlsPemPassword: '********' },
      { type: 'CHAT_B', notificationToken: '' },
    ])
  })

  test('does no harm with a field named like a built-in one', async () => {
    const { client } = await begin((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"goalVersion":1,"__proto__":{"processes":"x"},"constructor":1}')
    })
    const status = await readDataSource(client, automationStatus, { projectId })
    expect(status['processes']).toBeUndefined()
    expect(status['constructor']).toBe(1)
  })
})

describe('an answer of another shape than documented is refused', () => {
  const cases: [string, unknown, RegExp][] = [
    [
      'text where a number is due',
      listOf({ confCount: 'many' }),
      /results\[0\]\.confCount is text, not a number/,
    ],
    ['a number where text is due', listOf({ hostname: 7 }), /results\[0\]\.hostname is a number, not text/],
    ['an object where truth is due', listOf({ isManaged: {} }), /isManaged is an object, not true or false/],
    ['text among the items', listOf({}, 'x'), /results\[1\] is text, not an object/],
    ['null among the items', listOf(null), /results\[0\] is null, not an object/],
    ['a list among the items', listOf([]), /results\[0\] is a list, not an object/],
    ['no list at all', { results: {}, totalCount: 1 }, /not a list/],
  ]

  test.each(cases)('for %s', async (_, body, message) => {
    const client = await answering(body)
    const reading = readDataSource(client, agents, { projectId, type: 'BACKUP' })
    const error = await failure(reading, MalformedAnswerError)
    expect(error.message).toMatch(message)
    expect(error.describe()).toContain(`/groups/${projectId}/agents/BACKUP → 200`)
  })

  test('for what is deep in it', async () => {
    const client = await answering({ goalVersion: 1, processes: [{ plan: [] }, { plan: ['a', 1] }] })
    const error = await failure(readDataSource(client, automationStatus, { projectId }), MalformedAnswerError)
    expect(error.message).toContain('processes[1].plan[1] is a number, not text')
  })

  test('without quoting what it contains', async () => {
    const client = await answering(listOf({ type: 'WEBHOOK', secret: ['bare-secret'], 'bare-name': 1 }))
    const error = await failure(readDataSource(client, integrations, { projectId }), MalformedAnswerError)
    expect(error.describe()).not.toContain('bare')
  })

  test('with the first of many problems and the number of the others', async () => {
    const client = await answering(listOf(...Array.from({ length: 50 }, () => ({ id: 1 }))))
    const error = await failure(readDataSource(client, alerts, { projectId }), MalformedAnswerError)
    expect(error.message).toMatch(/results\[2\]\.id is a number, not text and 47 more$/)
  })
})

describe('a list that has no pages', () => {
  const about = { userId: orgId, accessListEntry: '192.0.2.1' }

  test.each([
    {},
    { results: [] },
    { totalCount: 0 },
    { results: {}, totalCount: 0 },
    { results: [], totalCount: '0' },
  ])('is refused where it is %j', async (body) => {
    const client = await answering(body)
    const error = await failure(readDataSource(client, userAccessListEntry, about), MalformedAnswerError)
    expect(error.message).toContain('the answer does not have the documented shape')
  })

  test('is cut at the limit', async () => {
    const client = await answering(listOf({ count: 1 }, { count: 2 }))
    const answer = await readDataSource(client, userAccessListEntry, { ...about, limit: 1 })
    expect(answer).toEqual({ results: [{ count: 1 }], totalCount: 2 })
  })
})

describe('a limit', () => {
  test('is reached also where the service’s pages are shorter than asked', async () => {
    const { client } = await shortPages()
    const { results, totalCount } = await readDataSource(client, organizationEvents, { orgId, limit: 5 })
    expect(results.map(({ id }) => id)).toEqual(['e0', 'e1', 'e2', 'e3', 'e4'])
    expect(totalCount).toBe(7)
  })

  test('above what there is shows all', async () => {
    const { client } = await shortPages()
    const { results } = await readDataSource(client, organizationEvents, { orgId, limit: 100 })
    expect(results).toHaveLength(7)
  })
})

describe('a missing access-list entry', () => {
  const given = { userId: orgId, accessListEntry: '192.0.2.1' }

  test('is an error where the service does not know the user', async () => {
    const client = await answering({ error: 404, errorCode: 'USER_NOT_FOUND', detail: 'None.' }, 404)
    const error = await failure(readDataSource(client, userAccessListEntry, given), NotFoundError)
    expect(error.serviceErrorCode).toBe('USER_NOT_FOUND')
  })
})
