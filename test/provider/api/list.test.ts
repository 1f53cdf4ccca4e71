import { describe, expect, it, test } from 'vitest'
import { ListUnstableError, MalformedAnswerError, NotFoundError } from '../../../provider/errors/index.ts'
import { begin, failure, json, type Handler, type Received } from './support/service.ts'

interface Item {
  readonly id: string
}

const items = (count: number, from = 0): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: `i${from + index}` }))

const pageOf = (received: Received, all: readonly Item[], most = 500): Record<string, unknown> => {
  const size = Math.min(Number(received.query.get('itemsPerPage')), most)
  const page = Number(received.query.get('pageNum'))
  return {
    results: all.slice((page - 1) * size, page * size),
    totalCount: all.length,
    links: [{ rel: 'self', href: 'x' }, ...(page * size < all.length ? [{ rel: 'next', href: 'x' }] : [])],
  }
}

const serving =
  (all: readonly Item[], most?: number): Handler =>
  (received, response) =>
    json(response, 200, pageOf(received, all, most))

/** In the first `times` readings, shifts the pages after the first one. */
const shifting = (times: number, shift: (all: Item[]) => Item[]): Handler => {
  let readings = 0
  return (received, response) => {
    const first = received.query.get('pageNum') === '1'
    if (first) readings++
    const all = items(700)
    json(response, 200, pageOf(received, !first && readings <= times ? shift(all) : all))
  }
}

const typeOf = (item: unknown): string => (item as { type: string }).type

describe('a list', () => {
  it('of one page costs one request', async () => {
    const { service, client } = await begin(serving(items(3)))
    const page = await client.list('/groups/1/alerts', { status: 'OPEN' })
    expect(page).toEqual({ results: items(3), totalCount: 3, requests: 1, complete: true })
    expect(service.good()[0]?.path).toBe('/groups/1/alerts?status=OPEN&pageNum=1&itemsPerPage=500')
  })

  it('that is empty is complete', async () => {
    const { client } = await begin(serving([]))
    await expect(client.list('/a')).resolves.toEqual({
      results: [],
      totalCount: 0,
      requests: 1,
      complete: true,
    })
  })

  it('of three pages has the second and third fetched at once, and keeps the order', async () => {
    const third = Promise.withResolvers<void>()
    const { client } = await begin(async (received, response) => {
      if (received.query.get('pageNum') === '3') third.resolve()
      // The second page waits until the third is asked for, so asking for one after the other would never end.
      if (received.query.get('pageNum') === '2') await third.promise
      json(response, 200, pageOf(received, items(1200)))
    })
    const page = await client.list('/a')
    expect(page.results).toEqual(items(1200))
    expect(page.requests).toBe(3)
  })

  it.each([500, 501, 1000])('of %i items is read whole', async (count) => {
    const { client } = await begin(serving(items(count)))
    const page = await client.list('/a')
    expect(page).toMatchObject({ results: items(count), totalCount: count, requests: Math.ceil(count / 500) })
  })

  it('of a service that gives 100 a page whatever is asked is read whole', async () => {
    const { client } = await begin(serving(items(250), 100))
    const page = await client.list('/a')
    expect(page).toMatchObject({ results: items(250), requests: 3, complete: true })
  })

  it('is cut where maxPages says so', async () => {
    const { client } = await begin(serving(items(1200)))
    const page = await client.list('/a', {}, { maxPages: 2 })
    expect(page).toMatchObject({ totalCount: 1200, requests: 2, complete: false })
    expect(page.results).toHaveLength(1000)
    await expect(client.list('/a', {}, { maxPages: 3 })).resolves.toMatchObject({ complete: true })
  })

  it('is read in smaller pages when the caller wants them', async () => {
    const { client } = await begin(serving(items(25)))
    await expect(client.list('/a', { itemsPerPage: 10 })).resolves.toMatchObject({
      results: items(25),
      requests: 3,
    })
  })

  it('has once what one page shows twice alike', async () => {
    const [first, second] = items(2)
    const { client } = await begin((_, response) =>
      json(response, 200, {
        results: [first, { ...first }, second, { ...second }],
        totalCount: 4,
        links: [],
      }),
    )
    await expect(client.list('/a')).resolves.toEqual({
      results: [first, second],
      totalCount: 2,
      requests: 1,
      complete: true,
    })
  })

  it('is refused if one page shows one thing with two values', async () => {
    const { client } = await begin((_, response) =>
      json(response, 200, {
        results: [
          { id: 'a', enabled: true },
          { id: 'a', enabled: false },
        ],
        totalCount: 2,
      }),
    )
    const error = await failure(client.list('/a'), ListUnstableError)
    expect(error.message).toContain('an item appears in it twice')
  })

  it('is read to its end by a service that counts the page and not the list', async () => {
    const { client } = await begin((received, response) => {
      const page = pageOf(received, items(1100))
      json(response, 200, { ...page, totalCount: (page['results'] as unknown[]).length })
    })
    await expect(client.list('/a')).resolves.toMatchObject({
      results: items(1100),
      totalCount: 1100,
      complete: true,
    })
  })

  it('is read to its end by a service that counts the page and has no links', async () => {
    const { client } = await begin((received, response) => {
      const page = pageOf(received, items(1000))
      json(response, 200, { ...page, links: [], totalCount: (page['results'] as unknown[]).length })
    })
    const page = await client.list('/a')
    expect(page).toMatchObject({ results: items(1000), requests: 3, complete: true })
  })
})

describe('a list that shifts while it is read', () => {
  const shifts: [string, (all: Item[]) => Item[]][] = [
    ['another total', (all) => [{ id: 'new' }, ...all]],
    ['an item twice', (all) => [{ id: 'new' }, ...all.slice(0, -1)]],
  ]

  it.each(shifts)('with %s is read again as a whole', async (_, shift) => {
    const { client } = await begin(shifting(2, shift))
    const page = await client.list('/a')
    expect(page.results).toEqual(items(700))
    expect(page.requests).toBe(6)
  })

  it.each(shifts)('with %s each time is an error after three readings', async (_, shift) => {
    const { service, client } = await begin(shifting(9, shift))
    const error = await failure(client.list('/a'), ListUnstableError)
    expect(error.where).toContain(`GET ${service.baseUrl}/a`)
    expect(service.good()).toHaveLength(6)
  })

  it('is noticed by the sum of its pages', async () => {
    const { client } = await begin((received, response) => {
      const page = pageOf(received, items(700))
      const short = received.query.get('pageNum') === '2' ? { results: items(199, 500) } : {}
      json(response, 200, { ...page, ...short })
    })
    const error = await failure(client.list('/a'), ListUnstableError)
    expect(error.message).toContain('700 items are counted, but 699 shown')
  })

  it('is not called so if it shows the same each time', async () => {
    const { client } = await begin((received, response) => {
      json(response, 200, { ...pageOf(received, items(4)), totalCount: 0, links: [] })
    })
    const error = await failure(client.list('/a'), ListUnstableError)
    expect(error.message).toBe(
      'the list contradicts itself, in the same way in each of 3 readings: 0 items are counted, but 4 shown',
    )
    expect(error.hint).not.toContain('fewer changes')
  })

  it('is noticed by a key of the caller', async () => {
    const { client } = await begin((_, response) =>
      json(response, 200, { results: [{ type: 'A' }, { type: 'A' }], totalCount: 2, links: [] }),
    )
    await expect(client.list('/a')).resolves.toMatchObject({ totalCount: 2 })
    await failure(client.list('/a', {}, { keyOf: typeOf }), ListUnstableError)
  })

  it('with a count but no items ends', async () => {
    const { service, client } = await begin((_, response) =>
      json(response, 200, { results: [], totalCount: 5 }),
    )
    await failure(client.list('/a'), ListUnstableError)
    expect(service.good()).toHaveLength(3)
  })
})

test.each([
  {},
  { results: {}, totalCount: 1 },
  { results: [], totalCount: '1' },
  { results: [] },
  { results: [], totalCount: -1 },
  { results: [], totalCount: 0.5 },
  { results: [{ id: 'a' }], totalCount: 9e15 },
])('what is not a list is refused: %j', async (body) => {
  const { service, client } = await begin((_, response) => json(response, 200, body))
  await failure(client.list('/a'), MalformedAnswerError)
  expect(service.good()).toHaveLength(1)
})

it('says with which status the service answered something that is not a list', async () => {
  const { service, client } = await begin((_, response) => json(response, 206, { results: [] }))
  const error = await failure(client.list('/a'), MalformedAnswerError)
  expect(error.where).toBe(`GET ${service.baseUrl}/a → 206`)
})

it('asks for no more pages once one of them has failed', async () => {
  const { service, client } = await begin(
    (received, response) =>
      received.query.get('pageNum') === '2'
        ? json(response, 404, {})
        : json(response, 200, pageOf(received, items(500 * 40))),
    { client: { concurrency: 2 } },
  )
  await failure(client.list('/a'), NotFoundError)
  expect(service.good().length).toBeLessThan(10)
})
