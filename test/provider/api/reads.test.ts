import { gzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import {
  AnswerTooLargeError,
  DeadlineError,
  ForbiddenError,
  MalformedAnswerError,
  NotFoundError,
  RateLimitedError,
  RedirectError,
  RequestError,
  ServiceFailureError,
  UnreachableError,
  InvalidRequestError,
} from '../../../provider/errors/index.ts'
import { begin, clientOfNobody, failure, json, raw, startService, type Handler } from './support/service.ts'

const twiceThenGood = (handler: Handler): Handler => {
  let calls = 0
  return (received, response) =>
    ++calls > 2 ? json(response, 200, { id: 'good' }) : handler(received, response)
}

describe('a read is repeated when the service', () => {
  const cases: [string, Handler][] = [
    ['fails', (_, response) => json(response, 502, {})],
    ['says that it took too long', (_, response) => json(response, 408, {})],
    ['resets the connection', (_, response) => void response.socket?.resetAndDestroy()],
    ['asks for fewer requests', (_, response) => json(response, 429, {})],
    [
      'cuts the answer',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
        response.write('{"id":', () => response.destroy())
      },
    ],
    [
      'cuts a chunked answer',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{"id":"x"}', () => response.destroy())
      },
    ],
    [
      'cuts a compressed answer',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        response.end(gzipSync('{"id":"x"}').subarray(0, -6))
      },
    ],
    ['answers no JSON', (_, response) => raw(response, 200, '{"id"')],
  ]
  it.each(cases)('%s', async (_, handler) => {
    const { service, client } = await begin(twiceThenGood(handler))
    await expect(client.get('/a')).resolves.toMatchObject({ body: { id: 'good' } })
    expect(service.good()).toHaveLength(3)
  })

  it('does not answer in time', async () => {
    const { client } = await begin(
      twiceThenGood(() => {}),
      { client: { deadlineMs: 200 } },
    )
    await expect(client.get('/a')).resolves.toMatchObject({ body: { id: 'good' } })
  })
})

it('reads what comes packed, and asks for that', async () => {
  const { service, client } = await begin((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(gzipSync('{"id":"x"}'))
  })
  await expect(client.get('/a')).resolves.toMatchObject({ body: { id: 'x' } })
  const [asked] = service.good()
  expect(asked?.request.headers['accept-encoding']).toContain('gzip')
})

describe('a 404', () => {
  it.each([
    ['text/html', '<html>Nothing here</html>', 'text/html'],
    ['text/plain', '404 page not found', 'text/plain'],
    [undefined, 'default backend - 404', 'not a JSON object'],
    ['application/json', '"nothing"', 'not a JSON object'],
  ])('of %s that says %j says nothing about what is asked for', async (type, text, said) => {
    const { client } = await begin((_, response) => {
      response.writeHead(404, type === undefined ? {} : { 'content-type': type })
      response.end(text)
    })
    const error = await failure<RequestError>(client.get('/a'), MalformedAnswerError)
    expect(error).toMatchObject({ status: 404, outcome: 'refused' })
    expect(error.message).toBe(`it is not the service that has answered: the answer is ${said}`)
  })

  it.each(['', '{}'])('with the body %j counts as not found', async (text) => {
    const { client } = await begin((_, response) => void response.writeHead(404).end(text))
    expect((await failure(client.get('/a'), NotFoundError)).status).toBe(404)
  })
})

describe('a 403', () => {
  it.each([
    ['text/html', '<html>Access denied</html>', 'text/html'],
    [undefined, 'RBAC: access denied', 'not a JSON object'],
  ])('of %s that says %j may be of a proxy', async (type, text, said) => {
    const { client } = await begin((_, response) => {
      response.writeHead(403, type === undefined ? {} : { 'content-type': type })
      response.end(text)
    })
    const error = await failure<RequestError>(client.get('/a'), ForbiddenError)
    expect(error).toMatchObject({ status: 403, outcome: 'refused' })
    expect(error.message).toBe(
      `a proxy in between may have refused this: the answer is ${said}, and the service answers in JSON`,
    )
    expect(error.hint).toContain('proxy')
  })

  it('without a body is of the service, as far as is known', async () => {
    const { client } = await begin((_, response) => void response.writeHead(403).end())
    expect((await failure(client.get('/a'), ForbiddenError)).message).toMatch(/^the service does not permit/)
  })
})

describe('a read is not repeated when the service', () => {
  it.each([
    [403, ForbiddenError],
    [404, NotFoundError],
    [400, InvalidRequestError],
  ] as const)('answers %i', async (status, kind) => {
    const { service, client } = await begin((_, response) =>
      json(response, status, { errorCode: 'SOME_CODE' }),
    )
    const error = await failure<RequestError>(client.get('/a', { status: 'OPEN' }), kind)
    expect(error).toMatchObject({
      status,
      serviceErrorCode: 'SOME_CODE',
      path: '/a?status=OPEN',
      outcome: 'refused',
    })
    expect(service.good()).toHaveLength(1)
  })

  it.each(['API_KEY_NOT_FOUND', 'X_API_KEY_NOT_FOUND'])(
    'says with a 400 that an API key is not there (%s), which counts as not found, also for a write',
    async (errorCode) => {
      const { client } = await begin((_, response) => json(response, 400, { errorCode }))
      const read = await failure(client.get('/orgs/1/apiKeys/2/accessList'), NotFoundError)
      const write = await failure(client.send('PATCH', '/orgs/1/apiKeys/2', { desc: 'x' }), NotFoundError)
      expect([read.status, write.status]).toEqual([400, 400])
    },
  )

  it('redirects; the message names the origin alone and nothing goes there', async () => {
    const other = await startService((_, response) => json(response, 200, {}))
    const { service, client } = await begin((_, response) => {
      response.writeHead(302, { location: `${other.baseUrl}/token?canary-query` })
      response.end()
    })
    const error = await failure(client.get('/a'), RedirectError)
    expect(error.message).toBe(`the service redirects to ${new URL(other.baseUrl).origin}`)
    expect(other.log).toHaveLength(0)
    expect(service.good()).toHaveLength(1)
  })

  it('redirects to the same address, where a proxy may ask for a login', async () => {
    const { service, client } = await begin((_, response) => {
      response.writeHead(302, { location: '/login?canary-query' })
      response.end()
    })
    const error = await failure(client.get('/a'), RedirectError)
    expect(error.message).toBe(`the service redirects within ${new URL(service.baseUrl).origin}`)
    expect(error.hint).toContain('a proxy before the service may ask for a login')
    expect(service.good()).toHaveLength(1)
  })

  it('answers with more than 32 MB, whether it says so or hides it in compression', async () => {
    const large = Buffer.alloc(33 * 1024 * 1024, 32)
    const { service, client } = await begin(({ path }, response) => {
      if (path === '/plain') return raw(response, 200, large)
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      return void response.end(gzipSync(large))
    })
    await failure(client.get('/plain'), AnswerTooLargeError)
    await failure(client.get('/packed'), AnswerTooLargeError)
    expect(service.good()).toHaveLength(2)
  })
})

describe('repetitions', () => {
  it('wait twice as long each time at most, by chance, and no longer than the budget in all', async () => {
    const delays: number[] = []
    const { client } = await begin((_, response) => json(response, 500, {}), {
      client: {
        random: () => 0.5,
        totalRetryMs: 5000,
        delay: async (ms) => void delays.push(ms),
      },
    })
    await failure(client.get('/a'), ServiceFailureError)
    expect(delays).toEqual([250, 500, 1000, 2000])
  })

  it('end even when no time passes', async () => {
    const { service, client } = await begin((_, response) => json(response, 500, {}), {
      client: { random: () => 0, now: () => 0 },
    })
    await failure(client.get('/a'), ServiceFailureError)
    expect(service.good()).toHaveLength(10)
  })

  it('heed a Retry-After in seconds, up to half a minute if the service has failed', async () => {
    let calls = 0
    const delays: number[] = []
    const { client } = await begin(
      (_, response) => {
        const pause = ['4', '2.5', '3600'][calls++]
        if (pause === undefined) return json(response, 200, {})
        response.setHeader('retry-after', pause)
        return json(response, 503, {})
      },
      { client: { random: () => 0, delay: async (ms) => void delays.push(ms) } },
    )
    await client.get('/a')
    expect(delays).toEqual([4000, 2500, 30_000])
  })

  it.each(['soon', '9'.repeat(400), ''])('heed no Retry-After that tells no time: %s', async (pause) => {
    const { client } = await begin(
      (_, response) => {
        response.setHeader('retry-after', pause)
        return json(response, 429, {})
      },
      { client: { random: () => 0, delay: async () => {} } },
    )
    const { message } = await failure(client.get('/a'), RateLimitedError)
    expect(message).toMatch(/the service asks for fewer requests(?!, and none for)/)
  })

  it('heed a Retry-After that is a date of the service', async () => {
    let calls = 0
    const delays: number[] = []
    const { client } = await begin(
      (_, response) => {
        response.setHeader('date', 'Thu, 05 Nov 2026 10:00:00 GMT')
        if (++calls > 1) return json(response, 200, {})
        response.setHeader('retry-after', 'Thu, 05 Nov 2026 10:00:09 GMT')
        return json(response, 503, {})
      },
      {
        client: {
          random: () => 0,
          now: () => 1_700_000_000_000,
          delay: async (ms) => void delays.push(ms),
        },
      },
    )
    await client.get('/a')
    expect(delays).toEqual([9000])
  })

  it('are few for a wrong address', async () => {
    let delays = 0
    const client = await clientOfNobody({ delay: async () => void delays++ })
    const error = await failure(client.get('/a'), UnreachableError)
    expect(error.where).toContain('→ not sent')
    expect(delays).toBe(2)
  })

  it('are told one by one to an observer, whose own failure changes nothing', async () => {
    let calls = 0
    const seen: unknown[] = []
    const { client } = await begin((_, response) => json(response, ++calls === 1 ? 500 : 200, {}), {
      client: {
        onRequest: ({ method, path, status, attempt }) => {
          seen.push([method, path, status, attempt])
          throw new Error('observer')
        },
      },
    })
    await client.get('/a', { pretty: true })
    expect(seen).toEqual([
      ['GET', '/a?pretty=true', 401, 1],
      ['GET', '/a?pretty=true', 500, 1],
      ['GET', '/a?pretty=true', 200, 2],
    ])
  })
})

test('the number of requests in flight never exceeds the limit, and is reached', async () => {
  let inFlight = 0
  let most = 0
  let four = Promise.withResolvers<void>()
  const { client } = await begin(
    async ({ path }, response) => {
      if (path === '/first') return json(response, 200, {})
      most = Math.max(most, ++inFlight)
      const { promise, resolve } = four
      if (inFlight === 4) {
        four = Promise.withResolvers<void>()
        inFlight = 0
        resolve()
      }
      await promise
      return json(response, 200, {})
    },
    { client: { concurrency: 4 } },
  )
  await client.get('/first')
  await Promise.all(Array.from({ length: 40 }, async (_, index) => client.get(`/a/${index}`)))
  expect(most).toBe(4)
})

describe('the time of the service', () => {
  it('is local time before the first answer, and then follows the Date header', async () => {
    const service10h = Date.parse('2026-11-05T10:00:00Z')
    const { service, client } = await begin(
      (_, response) => {
        response.setHeader('date', 'Thu, 05 Nov 2026 10:00:00 GMT')
        response.setHeader('x-vendor-service-version', 'gitHash=abc; versionString=7.0')
        json(response, 200, {})
      },
      {
        unauthorized: (received, response) => {
          response.sendDate = false
          response.setHeader('www-authenticate', service.digest.challenge(received.verdict === 'stale'))
          json(response, 401, {})
        },
        client: { now: () => service10h - 90_000 },
      },
    )
    expect(client.skewMs).toBeUndefined()
    expect(client.serviceNow()).toBe(service10h - 90_000)
    const answer = await client.get('/a')
    expect(client.skewMs).toBe(90_000)
    expect(client.serviceNow()).toBe(service10h)
    expect(answer).toMatchObject({
      answeredAt: service10h,
      sentAt: service10h,
      serviceVersion: 'gitHash=abc; versionString=7.0',
    })
  })

  it('is local time where the difference is less than the Date header can show', async () => {
    const { service, client } = await begin(
      (_, response) => {
        response.setHeader('date', 'Thu, 05 Nov 2026 10:00:00 GMT')
        json(response, 200, {})
      },
      {
        unauthorized: (_, response) => {
          response.sendDate = false
          response.setHeader('www-authenticate', service.digest.challenge())
          json(response, 401, {})
        },
        client: { now: () => Date.parse('2026-11-05T10:00:00.900Z') },
      },
    )
    await client.get('/a')
    expect(client.skewMs).toBe(0)
  })
})

describe('a path', () => {
  it.each([
    '/groups/../users',
    '/groups/%2e%2e/users',
    '/groups/a b',
    '/groups/a?b',
    '/groups/a#b',
    'groups',
    '/groups/%zz',
    '//other.example/x/..',
  ])('that leads elsewhere than it says is refused before anything is sent: %s', async (path) => {
    const { service, client } = await begin((_, response) => json(response, 200, {}))
    const error = await failure(client.send('DELETE', path), InvalidRequestError)
    expect(error.outcome).toBe('not-sent')
    expect(service.log).toHaveLength(0)
  })

  it('keeps its encoded slash', async () => {
    const { service, client } = await begin((_, response) => json(response, 200, {}))
    await client.get('/users/1/accessList/203.0.113.0%2F24')
    expect(service.good()[0]?.path).toBe('/users/1/accessList/203.0.113.0%2F24')
  })
})

it('reports the specific error once the budget is used up', async () => {
  const { client } = await begin(
    ({ path }, response) => {
      if (path === '/limited') return json(response, 429, {})
      if (path === '/late') return undefined
      return raw(response, 200, '<html>', 'text/html')
    },
    { client: { deadlineMs: 100, totalRetryMs: 0 } },
  )
  const errors = [
    await failure(client.get('/limited'), RateLimitedError),
    await failure(client.get('/late'), DeadlineError),
    await failure(client.get('/html'), MalformedAnswerError),
  ]
  expect(errors.map((error) => error.status)).toEqual([429, undefined, 200])
})
