import { describe, expect, it } from 'vitest'
import {
  AuthRejectedError,
  AuthUnsupportedError,
  ForbiddenError,
  UnreachableError,
} from '../../../provider/errors/index.ts'
import { begin, failure, json, raw, type Handler } from './support/service.ts'

const ok: Handler = (_, response) => json(response, 200, { id: 'x' })
const fifty = Array.from({ length: 50 }, (_, index) => `/things/${index}`)

// The worst case: each refusal brings a new nonce and does not call the old one stale.
const beginPermitting = async () => {
  const begun = await begin(({ path }, response) => {
    if (!path.startsWith('/secret')) return json(response, 200, { id: 'x' })
    response.setHeader('www-authenticate', begun.service.digest.challenge())
    return json(response, 401, { error: 401, errorCode: 'USER_UNAUTHORIZED', detail: 'Not permitted.' })
  })
  return begun
}

describe.each(['qop', 'op', 'both', 'none'] as const)(
  'a service whose challenge has the form "%s"',
  (form) => {
    it('costs 51 round trips for 50 parallel requests of a fresh client', async () => {
      const { service, client } = await begin(ok, { rules: { form } })
      await Promise.all(fifty.map(async (path) => client.get(path)))
      expect(service.log).toHaveLength(51)
      expect(client.requestsSent).toBe(51)
      expect(service.digest.challenges).toBe(1)
    })

    it('costs one more round trip when the nonce becomes stale between requests', async () => {
      const { service, client } = await begin(ok, { rules: { form } })
      await client.get('/a')
      service.digest.expire()
      await client.get('/b')
      await client.get('/c')
      expect(service.log.map((entry) => entry.verdict)).toEqual(['missing', 'good', 'stale', 'good', 'good'])
    })
  },
)

describe.each(['MD5', 'MD5-sess', 'SHA-256', 'SHA-256-sess'] as const)('the algorithm %s', (algorithm) => {
  it.each(['qop', 'op'] as const)(
    'is accepted with the form "%s", in parallel and for writes',
    async (form) => {
      const { service, client } = await begin(ok, { rules: { algorithm, form } })
      await Promise.all(fifty.map(async (path) => client.get(path, { pretty: true, at: 'a b&c:d' })))
      await client.send('POST', '/things/', { name: 'é' })
      expect(service.good()).toHaveLength(51)
      expect(service.log).toHaveLength(52)
    },
  )
})

describe('wrong credentials', () => {
  it('cost two requests when 50 are made at once, and nothing is sent afterwards', async () => {
    const { service, client } = await begin(ok, { client: { privateKey: 'canary-wrong' } })
    const results = await Promise.allSettled(fifty.map(async (path) => client.get(path)))
    const reasons = results.map((result) =>
      result.status === 'rejected' ? (result.reason as unknown) : undefined,
    )
    expect(reasons.every((reason) => reason instanceof AuthRejectedError)).toBe(true)
    expect(service.log).toHaveLength(2)
    const later = await failure(client.send('POST', '/things/', { name: 'one' }), AuthRejectedError)
    expect(later.outcome).toBe('not-sent')
    expect(service.log).toHaveLength(2)
  })

  it('cost two requests as well when the first one only asked for the time', async () => {
    const { service, client } = await begin(ok, { client: { privateKey: 'canary-wrong' } })
    await client.learnTime('/time')
    await failure(client.send('POST', '/things/', { name: 'one' }), AuthRejectedError)
    expect(service.log).toHaveLength(2)
  })

  it('are described with the public key, the address and the status', async () => {
    const { service, client } = await begin(ok, { client: { privateKey: 'canary-wrong' } })
    const error = await failure(client.get('/groups/1/alertConfigs'), AuthRejectedError)
    expect(error.describe()).toContain(
      'Error DM-AUTH-REJECTED: the service refused the credentials for public key "ciadmin"',
    )
    expect(error.where).toBe(`GET ${service.baseUrl}/groups/1/alertConfigs → 401`)
  })
})

describe('a 401 after a success', () => {
  it('is a missing permission of that request alone, tried twice at most', async () => {
    const { service, client } = await beginPermitting()
    await client.get('/a')
    const error = await failure(client.get('/secret'), ForbiddenError)
    expect(error.serviceErrorCode).toBe('USER_UNAUTHORIZED')
    expect(error.message).toMatch(/: Not permitted \(USER_UNAUTHORIZED\)$/)
    expect(service.log.filter((entry) => entry.path === '/secret')).toHaveLength(2)
    await expect(client.get('/b')).resolves.toMatchObject({ status: 200 })
  })

  it('is final at once when it brings no new nonce', async () => {
    const { service, client } = await begin(({ path }, response) =>
      json(response, path === '/secret' ? 401 : 200, { errorCode: 'USER_UNAUTHORIZED' }),
    )
    await client.get('/a')
    const error = await failure(client.send('PATCH', '/secret', { enabled: true }), ForbiddenError)
    expect(error.outcome).toBe('refused')
    expect(service.log).toHaveLength(3)
  })

  it('leaves the others alone when many are refused at once', async () => {
    const { client } = await beginPermitting()
    await client.get('/a')
    const paths = fifty.map((path, index) => (index % 2 === 0 ? `/secret${path}` : path))
    const results = await Promise.allSettled(paths.map(async (path) => client.get(path)))
    expect(results.map((result) => result.status === 'fulfilled')).toEqual(
      paths.map((path) => !path.startsWith('/secret')),
    )
  })
})

it('takes a 401 that names a missing permission for one, even as the first answer', async () => {
  const { client } = await begin(({ path }, response) =>
    json(response, path === '/secret' ? 401 : 200, { errorCode: 'NOT_IN_GROUP' }),
  )
  await failure(client.get('/secret'), ForbiddenError)
  await expect(client.get('/a')).resolves.toMatchObject({ status: 200 })
})

describe('a service that cannot be logged in to', () => {
  it.each([
    ['Basic realm="x"', 'basic'],
    ['Digest realm="x", nonce="n", algorithm=SHA-512-256', 'SHA-512-256'],
    ['Digest realm="x", nonce="n", qop="auth-int"', 'auth-int'],
    ['Digest realm="x"', 'no nonce'],
  ])('with the challenge %s is refused, and no credentials are sent', async (challenge, said) => {
    const { service, client } = await begin(ok, {
      unauthorized: (_, response) => {
        response.setHeader('www-authenticate', challenge)
        raw(response, 401, '<html>', 'text/html')
      },
    })
    const error = await failure(client.get('/a'), AuthUnsupportedError)
    expect(error.message).toContain(said)
    await failure(client.get('/b'), AuthUnsupportedError)
    expect(service.log).toHaveLength(1)
    expect(service.log[0]?.request.headers.authorization).toBeUndefined()
  })

  it('is not one that sends several challenges in several headers', async () => {
    const { service, client } = await begin(ok, {
      unauthorized: (_, response) => {
        const digest = service.digest.challenge()
        response.setHeader('www-authenticate', ['Negotiate YWJj==', 'Basic realm="a, Digest b"', digest])
        raw(response, 401, '', 'text/plain')
      },
    })
    await expect(client.get('/a')).resolves.toMatchObject({ status: 200 })
  })
})

it('keeps the body of a first write back until it has credentials', async () => {
  const { service, client } = await begin(ok)
  await client.send('POST', '/users', { password: 'canary-password' })
  expect(service.log.map((entry) => entry.body === '')).toEqual([true, false])
})

it('sends a first write whole to a service that checks the body before the credentials', async () => {
  const { service, client } = await begin(ok, {
    unauthorized: ({ body }, response) => {
      if (body === '') return json(response, 400, { errorCode: 'INVALID_JSON' })
      response.setHeader('www-authenticate', service.digest.challenge())
      return json(response, 401, {})
    },
  })
  await expect(client.send('POST', '/users', { name: 'one' })).resolves.toMatchObject({ status: 200 })
  expect(service.good()).toHaveLength(1)
})

it('gets all of 50 parallel requests through when the service forgets its nonces', async () => {
  const { service, client } = await begin(ok)
  await client.get('/a')
  service.digest.forget()
  const answers = await Promise.all(fifty.map(async (path) => client.get(path)))
  expect(answers.every((answer) => answer.status === 200)).toBe(true)
  expect(service.log.length).toBeLessThanOrEqual(2 + 50 + 10)
})

it('lets another request get the first challenge when the one that asked for it fails', async () => {
  let challenges = 0
  const { service, client } = await begin(ok, {
    unauthorized: (_, response) => {
      if (++challenges === 1) return void response.socket?.resetAndDestroy()
      response.setHeader('www-authenticate', service.digest.challenge())
      return json(response, 401, {})
    },
  })
  const first = failure(client.send('POST', '/first', { name: 'one' }), UnreachableError)
  const others = Promise.all(fifty.map(async (path) => client.get(path)))
  expect((await first).outcome).toBe('not-sent')
  expect(await others).toHaveLength(50)
  expect(service.log).toHaveLength(1 + 51)
})

const lockIsLost = () => Promise.reject(new Error('the lock is lost'))

it('asks before a write that a service without credentials would carry out at once', async () => {
  const { service, client } = await begin(ok, { unauthorized: ok, client: { beforeWrite: lockIsLost } })
  await expect(client.send('DELETE', '/things/1')).rejects.toThrow('the lock is lost')
  expect(service.log).toEqual([])
})

it('reads from a service that asks for no credentials, and gives it none', async () => {
  const { service, client } = await begin(ok, { unauthorized: ok })
  await expect(Promise.all([client.get('/a'), client.get('/b')])).resolves.toHaveLength(2)
  const error = await failure(client.send('POST', '/things/', { name: 'one' }), AuthUnsupportedError)
  expect(error.outcome).toBe('unknown')
  expect(service.log.every((entry) => entry.verdict === 'missing')).toBe(true)
})
