import { setImmediate as others } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { RateLimitedError, ServiceFailureError } from '../../../provider/errors/index.ts'
import { begin, failure, json, type Handler } from './support/service.ts'

/** A clock on which a wait takes its time as soon as all that begin with it have begun. */
const simulated = () => {
  const waits: number[] = []
  let now = 0
  return {
    waits,
    now: () => now,
    delay: async (ms: number) => {
      waits.push(ms)
      const until = now + ms
      await others()
      now = Math.max(now, until)
    },
  }
}

/** Allows so many requests in each minute; tells when the next one begins if `tells`. */
const allowing = (most: number, now: () => number, tells = true): Handler => {
  const minutes = new Map<number, number>()
  return (_, response) => {
    const minute = Math.floor(now() / 60_000)
    const sent = (minutes.get(minute) ?? 0) + 1
    minutes.set(minute, sent)
    if (sent <= most) return json(response, 200, {})
    if (tells) response.setHeader('retry-after', String(Math.ceil(((minute + 1) * 60_000 - now()) / 1000)))
    return json(response, 429, {})
  }
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `/a/${index}`)

describe('a service that allows a number of requests in each minute', () => {
  it('gets all reads through, and few that it refuses', async () => {
    const clock = simulated()
    const { service, client } = await begin(allowing(40, clock.now), { client: clock })
    await Promise.all(numbered(400).map((path) => client.get(path)))
    const sent = service.good().length
    expect(sent).toBeGreaterThan(400)
    // Only those that were under way when the minute was used up are refused.
    expect(sent).toBeLessThanOrEqual(400 + 10 * Math.ceil(400 / 40))
    expect(clock.now()).toBeLessThan(20 * 60_000)
  })

  it.each(['POST', 'PATCH', 'DELETE'] as const)('carries out each %s once', async (method) => {
    const clock = simulated()
    const done: string[] = []
    const limit = allowing(12, clock.now)
    const { client } = await begin(
      async (received, response) => {
        response.on('finish', () => {
          if (response.statusCode === 200) done.push(received.path)
        })
        await limit(received, response)
      },
      { client: clock },
    )
    const paths = numbered(40)
    await Promise.all(paths.map((path) => client.send(method, path, {})))
    expect(done.toSorted()).toEqual(paths.toSorted())
  })

  it('gets reads through, too, if it does not tell when the minute is over', async () => {
    const clock = simulated()
    const { client } = await begin(allowing(40, clock.now, false), {
      client: { ...clock, random: () => 0.9 },
    })
    await Promise.all(numbered(200).map((path) => client.get(path)))
    expect(clock.now()).toBeGreaterThan(4 * 60_000)
  })
})

it.each([
  [429, 'limited'],
  [503, 'unavailable'],
] as const)(
  'after %i nothing is sent for a while, and then what was refused goes first',
  async (status, why) => {
    const sent: string[] = []
    const over = Promise.withResolvers<void>()
    const { client } = await begin(
      ({ path }, response) => {
        sent.push(path)
        if (sent.length > 1) return json(response, 200, {})
        response.setHeader('retry-after', '30')
        return json(response, status, {})
      },
      { client: { concurrency: 1, now: () => 0, delay: () => over.promise } },
    )
    expect(client.held).toBeUndefined()
    const first = client.get('/first')
    const second = client.get('/second')
    while (client.held === undefined) await others()
    expect(client.held).toEqual({ until: 30_000, why })
    const third = client.get('/third')
    await others()
    expect(sent).toEqual(['/first'])
    over.resolve()
    await Promise.all([first, second, third])
    expect(sent).toEqual(['/first', '/first', '/second', '/third'])
  },
)

const refusing =
  (after?: string): Handler =>
  (_, response) => {
    if (after !== undefined) response.setHeader('retry-after', after)
    return json(response, 429, {})
  }

it('a write that is answered with 503 keeps nothing else from being sent', async () => {
  const { client } = await begin(({ method }, response) => json(response, method === 'GET' ? 200 : 503, {}), {
    client: { concurrency: 1, delay: () => new Promise(() => undefined) },
  })
  const write = failure(client.send('PATCH', '/a', {}), ServiceFailureError)
  await client.get('/b')
  expect((await write).outcome).toBe('unknown')
  expect(client.held).toBeUndefined()
})

describe('a service that refuses all requests as too many', () => {
  it.each([
    ['an hour', '3600', 1],
    ['50 seconds', '50', 4],
    ['two minutes', '120', 2],
    ['20 seconds', '20', 10],
  ])(
    'is given up after three minutes, or at once if it tells a later time: %s',
    async (_, after, requests) => {
      const clock = simulated()
      const { service, client } = await begin(refusing(after), { client: { ...clock, random: () => 0 } })
      const { message } = await failure(client.get('/a'), RateLimitedError)
      expect(message).toContain(`none for ${after} s`)
      expect(service.good()).toHaveLength(requests)
      expect(clock.now()).toBeLessThanOrEqual(180_000)
    },
  )

  it('is given up after three minutes if it tells none, and gets a request every ten seconds', async () => {
    const clock = simulated()
    const { service, client } = await begin(refusing(), { client: { ...clock, random: () => 0.99 } })
    await failure(client.get('/a'), RateLimitedError)
    expect(service.good().length).toBeLessThanOrEqual(20)
    expect(clock.now()).toBeGreaterThan(100_000)
    expect(clock.now()).toBeLessThanOrEqual(180_000)
  })

  it('is given up even when no time passes', async () => {
    const { service, client } = await begin(refusing('0'), {
      client: { random: () => 0, now: () => 0, delay: () => Promise.resolve() },
    })
    await failure(client.get('/a'), RateLimitedError)
    expect(service.good()).toHaveLength(20)
  })

  it.each([
    [429, 180_000],
    [503, 60_000],
  ])('is given up for all calls together: %i', async (status, withinMs) => {
    const clock = simulated()
    const { service, client } = await begin((_, response) => json(response, status, {}), {
      client: { ...clock, random: () => 0.99 },
    })
    const calls = numbered(100).map((path) => client.get(path))
    const ended = await Promise.allSettled(calls)
    expect(ended.every((each) => each.status === 'rejected')).toBe(true)
    expect(clock.now()).toBeLessThanOrEqual(withinMs)
    expect(service.good().length).toBeLessThan(200)
  })

  it('is given up at once by a client that repeats nothing', async () => {
    const { service, client } = await begin(refusing('1'), { client: { totalRetryMs: 0 } })
    await failure(client.get('/a'), RateLimitedError)
    expect(service.good()).toHaveLength(1)
  })

  it('keeps no request that is no longer wanted', async () => {
    const stop = new AbortController()
    const { service, client } = await begin(refusing('100'), {
      client: { signal: stop.signal, delay: () => new Promise(() => undefined) },
    })
    const first = client.get('/a')
    while (client.held === undefined) await others()
    const second = client.get('/b')
    stop.abort()
    await expect(first).rejects.toMatchObject({ code: 'DM-CANCELLED', outcome: 'not-sent' })
    await expect(second).rejects.toMatchObject({ code: 'DM-CANCELLED', outcome: 'not-sent' })
    expect(service.good()).toHaveLength(1)
  })
})
