import { describe, expect, test } from 'vitest'
import { type Reply, http } from './support/client.ts'
import { type EndpointCase, endpointCases, newWindow, windowId } from './support/endpoints.ts'
import { ids, keys } from './support/fixture.ts'
import { type TestService, serve } from './support/service.ts'

/** Sends the request of a case; for endpoint 15, it first creates a window. */
const send = async (
  service: TestService,
  one: EndpointCase,
  change: { path?: string; query?: string; body?: unknown; type?: string; key?: EndpointCase['key'] } = {},
): Promise<Reply> => {
  let path = change.path ?? one.path
  if (path.includes(windowId)) {
    const created = await service.call('POST', `/groups/${ids.project}/maintenanceWindows/`, newWindow)
    path = path.replace(windowId, created.body.id)
  }
  const call = service.as(change.key ?? one.key ?? keys.ci)
  const body = 'body' in change ? change.body : one.body
  const headers = change.type === undefined ? {} : { 'content-type': change.type }
  return await call(one.method, path + (change.query ?? ''), body, { headers })
}

test('all 21 endpoints are here', () => {
  expect(endpointCases.map(({ number }) => number)).toEqual(
    Array.from({ length: 21 }, (_, index) => index + 1),
  )
})

describe.each(endpointCases)('endpoint $number, $method $path', (one) => {
  test(`endpoint ${one.number} answers ${one.status} with the headers of the description`, async () => {
    const reply = await send(await serve(), one)
    expect(reply.status).toBe(one.status)
    expect(reply.headers).toMatchObject({
      vary: 'Accept-Encoding',
      'strict-transport-security': 'max-age=300',
      date: expect.stringMatching(/GMT$/),
      connection: 'keep-alive',
      'x-vendor-service-version': expect.stringMatching(/^gitHash=[0-9a-f]+; versionString=\d/),
    })
  })

  test(`endpoint ${one.number} asks for credentials`, async () => {
    const service = await serve()
    const reply = await http(one.method, service.baseUrl + one.path.replace(windowId, ids.absent))
    expect(reply.status).toBe(401)
    expect(reply.headers['www-authenticate']).toMatch(/^Digest /)
  })

  test(`endpoint ${one.number} refuses a caller without the role`, async () => {
    const reply = await send(await serve(), one, { key: one.refused.key })
    expect(reply.status).toBe(401)
    expect(reply.body.errorCode).toBe(one.refused.errorCode)
  })

  test.each(one.missing)(`endpoint ${one.number} answers $errorCode for $path`, async (missing) => {
    const reply = await send(await serve(), one, { path: missing.path })
    expect(reply.status).toBe(missing.status)
    expect(reply.body).toEqual({
      detail: expect.any(String),
      error: missing.status,
      errorCode: missing.errorCode,
      parameters: expect.any(Array),
      reason: expect.any(String),
    })
  })

  test(`endpoint ${one.number} refuses a flag that is neither true nor false`, async () => {
    const reply = await send(await serve(), one, { query: '?pretty=perhaps' })
    expect(reply.status).toBe(400)
    expect(reply.body.errorCode).toBe('INVALID_QUERY_PARAMETER')
  })
})

const answering = (what: EndpointCase['answers']): EndpointCase[] =>
  endpointCases.filter(({ answers }) => answers === what)

describe.each([...answering('one'), ...answering('list')])('the JSON of endpoint $number', (one) => {
  test(`endpoint ${one.number} says its type and length`, async () => {
    const reply = await send(await serve(), one)
    expect(reply.headers['content-type']).toBe('application/json')
    expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.text)))
  })

  test(`endpoint ${one.number} prints on many lines with pretty=true alone`, async () => {
    expect(
      (await send(await serve(), one, { query: '?pretty=true' })).text.split('\n').length,
    ).toBeGreaterThan(3)
    expect((await send(await serve(), one, { query: '?pretty=false' })).text).not.toContain('\n')
  })
})

describe.each(answering('one'))('the resource of endpoint $number', (one) => {
  test(`endpoint ${one.number} wraps its answer with envelope=true, and not with envelope=false`, async () => {
    const wrapped = await send(await serve(), one, { query: '?envelope=true' })
    expect(wrapped.status).toBe(one.status)
    expect(wrapped.body).toEqual({ status: one.status, content: expect.any(Object) })
    const plain = await send(await serve(), one, { query: '?envelope=false' })
    expect(Object.keys(plain.body)).toEqual(Object.keys(wrapped.body.content))
  })
})

describe.each(answering('list'))('the list of endpoint $number', (one) => {
  test(`endpoint ${one.number} answers results, links and totalCount`, async () => {
    const { body } = await send(await serve(), one)
    expect(Object.keys(body)).toEqual(['results', 'links', 'totalCount'])
    expect(body.totalCount).toBe(body.results.length)
    expect(body.results.length).toBeGreaterThan(0)
  })

  test(`endpoint ${one.number} adds the status to its body with envelope=true, and not with envelope=false`, async () => {
    const service = await serve()
    const wrapped = await send(service, one, { query: '?envelope=true' })
    expect(Object.keys(wrapped.body)).toEqual(['results', 'links', 'totalCount', 'status'])
    expect(wrapped.body.status).toBe(200)
    expect((await send(service, one, { query: '?envelope=false' })).body).not.toHaveProperty('status')
  })
})

test.each(answering('nothing'))('endpoint $number has no body under any envelope', async (one) => {
  for (const query of ['', '?envelope=true', '?envelope=false', '?pretty=true']) {
    const reply = await send(await serve(), one, { query })
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([204, '', undefined])
  }
})

const withBody = endpointCases.filter(({ body }) => body !== undefined)

describe.each(withBody)('the body of endpoint $number', (one) => {
  const path = one.path.replace(windowId, ids.absent)
  const json = { 'content-type': 'application/json' }

  test(`endpoint ${one.number} refuses a body that is not JSON`, async () => {
    const { call } = await serve()
    for (const body of ['', '{', '{"a":1', 'null', '[]', '"text"', Buffer.from([0x22, 0xff, 0x22])]) {
      const reply = await call(one.method, path, undefined, { body, headers: json })
      expect(reply.status).toBe(400)
      expect(reply.body.errorCode).toBe('INVALID_JSON')
    }
  })

  test(`endpoint ${one.number} refuses a body of another content type`, async () => {
    const { call } = await serve()
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json;charset=latin1',
      'application/json x',
      'application/jsonx',
    ]) {
      const reply = await call(one.method, path, one.body, { headers: { 'content-type': type } })
      expect(reply.status).toBe(415)
    }
  })

  test(`endpoint ${one.number} takes JSON with any parameters`, async () => {
    for (const type of ['Application/JSON; x=y', 'application/json; x="a;b"; charset="UTF-8"']) {
      const reply = await send(await serve(), one, { type })
      expect(reply.status).toBe(one.status)
    }
  })

  test(`endpoint ${one.number} refuses an unknown field, or passes it over`, async () => {
    const body = { ...one.body, somethingElse: 1 }
    const reply = await send(await serve(), one, { body })
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ errorCode: 'INVALID_JSON_ATTRIBUTE', parameters: ['somethingElse'] })
    const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`unknown${index}`, index]))
    expect((await send(await serve(), one, { body: { ...twenty, ...one.body } })).status).toBe(400)
    const lenient = await serve({ settings: { 'open.unknownFields': 'ignore' } })
    expect((await send(lenient, one, { body })).status).toBe(one.status)
  })

  test(`endpoint ${one.number} says that a field cannot be changed`, async () => {
    const reply = await send(await serve(), one, { body: { ...one.body, id: ids.absent } })
    expect(reply.body.errorCode).toBe('ATTRIBUTE_READ_ONLY')
  })
})
