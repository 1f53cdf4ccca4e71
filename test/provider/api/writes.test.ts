import { describe, expect, it } from 'vitest'
import {
  AnswerTooLargeError,
  CancelledError,
  ConflictError,
  DeadlineError,
  InvalidRequestError,
  MalformedAnswerError,
  NotFoundError,
  RateLimitedError,
  RedirectError,
  RequestError,
  ServiceFailureError,
  UnreachableError,
} from '../../../provider/errors/index.ts'
import { begin, clientOfNobody, failure, json, raw, type Handler } from './support/service.ts'

const path = '/groups/1/maintenanceWindows/'
const body = { description: 'one' }

/** A service that answers reads normally, and writes by `handler`. */
const onWrite =
  (handler: Handler): Handler =>
  (received, response) =>
    received.method === 'GET' ? json(response, 200, { id: 'x' }) : handler(received, response)

const limitedOnce = (headers: Record<string, string>): Handler => {
  let calls = 0
  return onWrite((_, response) => {
    if (++calls > 1) return json(response, 200, { id: 'a' })
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    return json(response, 429, { errorCode: 'RATE_LIMITED' })
  })
}

describe('the outcome of a POST is unknown, and it is not sent again, when the service', () => {
  const cases: [string, abstract new (...parts: never[]) => RequestError, Handler][] = [
    [
      'fails with 500',
      ServiceFailureError,
      (_, response) => json(response, 500, { errorCode: 'UNEXPECTED_ERROR' }),
    ],
    [
      'is unavailable with a Retry-After',
      ServiceFailureError,
      (_, response) => {
        response.setHeader('retry-after', '1')
        json(response, 503, {})
      },
    ],
    ['says that it took too long (408)', DeadlineError, (_, response) => json(response, 408, {})],
    ['resets the connection', UnreachableError, (_, response) => void response.socket?.resetAndDestroy()],
    ['closes the connection', UnreachableError, (_, response) => void response.socket?.end()],
    [
      'cuts the answer',
      MalformedAnswerError,
      (_, response) => {
        response.writeHead(201, { 'content-type': 'application/json', 'content-length': 100 })
        response.write('{"id":', () => response.destroy())
      },
    ],
    ['answers no JSON', MalformedAnswerError, (_, response) => raw(response, 200, '{"id":')],
    ['answers HTML', MalformedAnswerError, (_, response) => raw(response, 200, '{}', 'text/html')],
    [
      'answers bytes that are not UTF-8',
      MalformedAnswerError,
      (_, response) => raw(response, 200, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
    ],
    ['answers an array', MalformedAnswerError, (_, response) => json(response, 200, [])],
    ['answers nothing', MalformedAnswerError, (_, response) => raw(response, 201, '')],
    [
      'names a key twice',
      MalformedAnswerError,
      (_, response) => raw(response, 200, '{"id":"a","\\u0069d":"b"}'),
    ],
    ['speaks no HTTP', MalformedAnswerError, (_, response) => void response.socket?.end('nonsense\r\n\r\n')],
    [
      'answers with more than 32 MB',
      AnswerTooLargeError,
      (_, response) => raw(response, 200, Buffer.alloc(33 * 1024 * 1024, 32)),
    ],
    [
      'redirects',
      RedirectError,
      (_, response) => {
        response.writeHead(307, { location: 'https://elsewhere.example/secret?x' })
        response.end()
      },
    ],
  ]
  it.each(cases)('%s', async (_, kind, handler) => {
    const { service, client } = await begin(onWrite(handler))
    await client.get('/a')
    const error = await failure(client.send('POST', path, body), kind)
    expect(error.outcome).toBe('unknown')
    expect(error.hint).toContain('unknown')
    expect(service.good().filter((entry) => entry.method === 'POST')).toHaveLength(1)
  })

  it('does not answer in time', async () => {
    const { client } = await begin(
      onWrite(() => {}),
      { client: { deadlineMs: 200 } },
    )
    await client.get('/a')
    const error = await failure(client.send('POST', path, body), DeadlineError)
    expect(error.outcome).toBe('unknown')
  })
})

describe('the outcome of a write is definite', () => {
  it.each([
    [400, InvalidRequestError],
    [405, InvalidRequestError],
    [409, ConflictError],
  ] as const)(
    'when the service refuses it with %i, whatever the body of the answer',
    async (status, kind) => {
      const { client } = await begin(onWrite((_, response) => raw(response, status, 'no JSON', 'text/plain')))
      const error = await failure<RequestError>(client.send('PATCH', path, body), kind)
      expect(error).toMatchObject({ outcome: 'refused', status, method: 'PATCH', path })
    },
  )

  it('when there is no one to connect to', async () => {
    const client = await clientOfNobody()
    const error = await failure(client.send('POST', path, body), UnreachableError)
    expect(error.outcome).toBe('not-sent')
    expect(error.message).toContain('ECONNREFUSED')
    expect(client.requestsSent).toBe(0)
  })

  it('when the connection breaks while it is still asking for a challenge', async () => {
    const { client } = await begin(
      onWrite((_, response) => json(response, 200, {})),
      { unauthorized: (_, response) => void response.socket?.resetAndDestroy() },
    )
    const error = await failure(client.send('DELETE', '/groups/1/integrations/PAGING'), UnreachableError)
    expect(error.outcome).toBe('not-sent')
  })
})

describe('a write succeeds', () => {
  it.each([200, 201, 202])('with any 2xx and a JSON object: %i', async (status) => {
    const { client } = await begin(onWrite((_, response) => json(response, status, { id: 'a' })))
    await expect(client.send('POST', path, body)).resolves.toMatchObject({ status, body: { id: 'a' } })
  })

  it.each([
    [200, 'DELETE'],
    [204, 'DELETE'],
    [204, 'PATCH'],
  ] as const)('with %i and no body for %s', async (status, method) => {
    const { client } = await begin(
      onWrite((_, response) => {
        response.writeHead(status)
        response.end()
      }),
    )
    await expect(client.send(method, '/groups/1/integrations/PAGING')).resolves.toMatchObject({
      status,
      body: undefined,
    })
  })
})

/** Answers each request, and keeps no connection, on which the next one could be lost. */
const closing: Handler = (_, response) => {
  response.setHeader('connection', 'close')
  return json(response, 200, { id: 'done' })
}

describe('a service that is gone for a moment', () => {
  it.each(['POST', 'PATCH', 'DELETE'] as const)('gets each %s once, when it is back', async (method) => {
    const { service, client } = await begin(closing, {
      client: { delay: () => service.back(), concurrency: 3 },
    })
    await client.get('/a')
    await service.leave()
    const paths = ['/1', '/2', '/3', '/4', '/5']
    await Promise.all(paths.map((each) => client.send(method, each, body)))
    const got = service.good().filter((each) => each.method === method)
    expect(got.map((each) => each.path).toSorted()).toEqual(paths)
  })

  it('is given up for all writes together if it stays away', async () => {
    let now = 0
    const { service, client } = await begin(closing, {
      client: { random: () => 0.99, now: () => now, delay: async (ms) => void (now += ms), concurrency: 1 },
    })
    await client.get('/a')
    await service.leave()
    const ended = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => client.send('POST', `/${String(index)}`, body)),
    )
    expect(ended.map((each) => (each.status === 'rejected' ? each.reason.outcome : 'sent'))).toEqual(
      ended.map(() => 'not-sent'),
    )
    expect(now).toBeLessThanOrEqual(60_000)
  })
})

describe('a write that is answered with 429', () => {
  it.each(['POST', 'PATCH', 'DELETE'] as const)(
    'with a Retry-After is repeated after that time: %s',
    async (method) => {
      const delays: number[] = []
      const { client } = await begin(limitedOnce({ 'retry-after': '7' }), {
        client: { delay: async (ms) => void delays.push(ms) },
      })
      await expect(client.send(method, path, body)).resolves.toMatchObject({ status: 200 })
      expect(delays).toEqual([7000])
    },
  )

  it('without a Retry-After is repeated when it is a PATCH', async () => {
    const { client } = await begin(limitedOnce({}))
    await expect(client.send('PATCH', path, body)).resolves.toMatchObject({ status: 200 })
  })

  it('without a Retry-After is not repeated when it is a POST', async () => {
    const { service, client } = await begin(limitedOnce({}))
    const error = await failure(client.send('POST', path, body), RateLimitedError)
    expect(error.outcome).toBe('refused')
    expect(service.good()).toHaveLength(1)
  })
})

describe('an interruption', () => {
  it('awaits a write in flight, sends none of those that wait, and aborts reads', async () => {
    const stop = new AbortController()
    const held = Promise.withResolvers<void>()
    const bothIn = Promise.withResolvers<void>()
    let waiting = 0
    const { service, client } = await begin(
      async ({ path: where }, response) => {
        if (where === '/first') return json(response, 200, {})
        if (++waiting === 2) bothIn.resolve()
        await held.promise
        return json(response, 201, { id: 'done' })
      },
      { client: { signal: stop.signal, concurrency: 2 } },
    )
    await client.get('/first')
    const write = client.send('POST', path, body)
    const read = failure(client.get('/slow'), CancelledError)
    const queued = failure(client.send('POST', '/queued', body), CancelledError)
    await bothIn.promise
    stop.abort()
    expect((await queued).outcome).toBe('not-sent')
    expect((await read).exitCode).toBe(130)
    held.resolve()
    await expect(write).resolves.toMatchObject({ body: { id: 'done' } })
    const late = await failure(client.send('PATCH', path, body), CancelledError)
    expect(late.outcome).toBe('not-sent')
    expect(service.log.some((entry) => entry.path === '/queued')).toBe(false)
  })

  it('by close awaits a write in flight and refuses what comes after', async () => {
    const arrived = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const { client } = await begin(async (_, response) => {
      arrived.resolve()
      await held.promise
      json(response, 201, { id: 'done' })
    })
    const write = client.send('POST', path, body)
    await arrived.promise
    const closed = client.close()
    held.resolve()
    await expect(write).resolves.toMatchObject({ status: 201 })
    await closed
    await failure(client.get('/a'), CancelledError)
  })

  it('ends the wait before a repetition', async () => {
    const stop = new AbortController()
    const { service, client } = await begin((_, response) => json(response, 503, {}), {
      client: {
        signal: stop.signal,
        delay: async (_, signal) => {
          stop.abort()
          signal?.throwIfAborted()
        },
      },
    })
    await failure(client.get('/a'), CancelledError)
    expect(service.good()).toHaveLength(1)
  })
})

describe('a write that has to leave by a moment', () => {
  it('is not sent again later than that', async () => {
    let slept = 0
    const { service, client } = await begin(limitedOnce({ 'retry-after': '7' }), {
      client: { now: () => Date.now() + slept, delay: async (ms) => void (slept += ms) },
    })
    await client.get(path)
    const sent = service.good().length
    const error = await failure(client.send('POST', path, body, { withinMs: 5_000 }), DeadlineError)
    expect(error.outcome).toBe('not-sent')
    expect(service.good()).toHaveLength(sent + 1)
  })
})

describe('what a 404 to a write advises to check', () => {
  const roles = { roles: [{ orgId: 'o2', roleName: 'ORG_MEMBER' }] }
  it.each([
    ['the body alone', 'o2', 'Check o2, which the body of the request names.'],
    ['the address', '1', 'Check the ids in the address above.'],
    ['neither', 'o3', 'Check the ids in the address above.'],
  ])('is what is named by %s', async (_by, named, hint) => {
    const { client } = await begin(
      onWrite((_, response) => json(response, 404, { errorCode: 'NOT_THERE', parameters: [named] })),
    )
    const error = await failure(client.send('PATCH', '/users/1', roles), NotFoundError)
    expect(error.hint).toBe(hint)
  })
})
