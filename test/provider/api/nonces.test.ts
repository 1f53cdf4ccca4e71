import { describe, expect, it } from 'vitest'
import { AuthRejectedError, AuthUnsupportedError, ForbiddenError } from '../../../provider/errors/index.ts'
import { begin, failure, json, type Handler, type Service } from './support/service.ts'

const ok: Handler = (_, response) => json(response, 200, { id: 'x' })
const fifty = Array.from({ length: 50 }, (_, index) => `/things/${index}`)

/** The paths of the requests that the service has carried out. */
const carriedOut = (service: Service): string[] => service.good().map((entry) => entry.path)

/** Announces a new nonce with each answer. */
const announcing =
  (service: () => Service): Handler =>
  (_, response) => {
    const next = /nonce="(?<nonce>[^"]+)"/u.exec(service().digest.challenge())?.groups?.['nonce']
    response.setHeader('authentication-info', `rspauth="00", nextnonce="${next}"`)
    json(response, 200, { id: 'x' })
  }

describe('nonces', () => {
  it('are counted without a repetition and without a gap', async () => {
    const { service, client } = await begin(ok, { rules: { form: 'qop' } })
    await Promise.all(fifty.map(async (path) => client.get(path)))
    const counts = [...service.digest.nonces.values()].flat().toSorted()
    expect(counts).toEqual(fifty.map((_, index) => (index + 1).toString(16).padStart(8, '0')))
  })

  it('that become stale among parallel requests are replaced without losing any request', async () => {
    const { service, client } = await begin(ok, { rules: { form: 'qop', usesPerNonce: 20 } })
    const answers = await Promise.all(fifty.map(async (path) => client.get(path)))
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
    expect(new Set(service.good().map((entry) => entry.path)).size).toBe(50)
    // At most all requests in flight meet one stale nonce, and each of them is sent once more.
    expect(service.log.length).toBeLessThanOrEqual(50 + 1 + 2 * 10)
  })

  it('that are stale make even a POST be sent again, and the body is processed once', async () => {
    const { service, client } = await begin(ok)
    await client.get('/a')
    service.digest.expire()
    await client.send('POST', '/things/', { name: 'one' })
    expect(service.good().filter((entry) => entry.method === 'POST')).toHaveLength(1)
  })

  it('that are stale each time are given up after two renewals', async () => {
    const { service, client } = await begin(ok, {
      rules: { usesPerNonce: 0 },
    })
    const error = await failure(client.send('POST', '/things/', { name: 'one' }), AuthUnsupportedError)
    expect(error.outcome).toBe('refused')
    expect(service.log).toHaveLength(1 + 3)
  })

  it('that are stale cost one request more, also before requests that all lack a permission', async () => {
    const { service, client } = await begin(({ path }, response) =>
      json(response, path === '/a' ? 200 : 401, { errorCode: 'NOT_IN_GROUP' }),
    )
    await client.get('/a')
    service.digest.expire()
    for (const path of ['/b', '/c', '/d']) await failure(client.get(path), ForbiddenError)
    expect(service.log.map((entry) => entry.verdict)).toEqual([
      'missing',
      'good',
      'stale',
      'good',
      'good',
      'good',
    ])
  })

  it('forgotten by a restarted service cost one fresh challenge each at most', async () => {
    const { service, client } = await begin(ok)
    await client.get('/a')
    service.digest.forget()
    await client.get('/b')
    await client.send('PATCH', '/things/1', { enabled: true })
    expect(service.log.map((entry) => entry.verdict)).toEqual([
      'missing',
      'good',
      'unknown-nonce',
      'good',
      'good',
    ])
  })
})

describe.each(['qop', 'op'] as const)('a service that takes each nonce once, with the form "%s"', (form) => {
  const rules = { form, usesPerNonce: 1 }

  it('carries out each of 50 parallel writes once, at two requests each', async () => {
    const { service, client } = await begin(ok, { rules })
    await Promise.all(fifty.map(async (path) => client.send('POST', path, { name: 'one' })))
    expect(carriedOut(service).toSorted()).toEqual(fifty.toSorted())
    expect(service.log).toHaveLength(2 * 50)
  })

  it('is told apart from wrong credentials when it does not call a used nonce stale', async () => {
    const { service, client } = await begin(ok, {
      rules,
      unauthorized: (_, response) => {
        response.setHeader('www-authenticate', service.digest.challenge())
        return json(response, 401, {})
      },
    })
    await Promise.all(fifty.map(async (path) => client.send('PATCH', path, { enabled: true })))
    expect(carriedOut(service).toSorted()).toEqual(fifty.toSorted())
  })

  it('costs one request each in turn when it announces the next nonce', async () => {
    const { service, client } = await begin(
      announcing(() => service),
      { rules },
    )
    for (const path of fifty) await client.get(path)
    expect(service.log).toHaveLength(51)
  })

  it('costs few requests more in parallel when it announces the next nonce', async () => {
    const { service, client } = await begin(
      announcing(() => service),
      { rules },
    )
    await Promise.all(fifty.map(async (path) => client.send('POST', path, { name: 'one' })))
    expect(carriedOut(service).toSorted()).toEqual(fifty.toSorted())
    expect(service.log.length).toBeLessThan(2 * 50)
  })

  it('ends wrong credentials after the challenge and one answer to it', async () => {
    const { service, client } = await begin(ok, { rules, client: { privateKey: 'canary-wrong' } })
    const results = await Promise.all(
      fifty.map(async (path) => failure(client.send('POST', path, { name: 'one' }), AuthRejectedError)),
    )
    expect(results.filter((error) => error.outcome === 'refused')).toHaveLength(1)
    expect(service.log).toHaveLength(2)
  })
})

it('sends each parallel write twice at most once the key is taken away', async () => {
  let isTaken = false
  const { service, client } = await begin((_, response) => {
    if (isTaken) response.setHeader('www-authenticate', service.digest.challenge())
    return json(response, isTaken ? 401 : 200, {})
  })
  await client.get('/a')
  isTaken = true
  await Promise.all(
    fifty.map(async (path) => failure(client.send('POST', path, { name: 'one' }), ForbiddenError)),
  )
  expect(service.log).toHaveLength(2 + 2 * 50)
})
