import { openApiDocument, settings, startService } from '@deploymgmt/service'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Reply, clientFor, http } from './support/client.ts'
import { endpointCases, windowed, windowId } from './support/endpoints.ts'
import { ids, keys } from './support/fixture.ts'
import { operationsOf, randomRequests } from './support/requests.ts'
import { serve } from './support/service.ts'
import { sendBytes } from './support/socket.ts'
import { anyText } from '../support/any-text.ts'
import { holds, runs } from '../support/soak.ts'

const document = openApiDocument()
const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false })
ajv.addSchema(document, 'api')

/** The schema of an answer, by operation and status; 4XX is for statuses that are not listed. */
const validators = new Map<string, ValidateFunction | undefined>()
for (const { path, method, operation } of operationsOf(document)) {
  const { responses } = operation as unknown as { responses: Record<string, { content?: object }> }
  for (const [status, { content }] of Object.entries(responses)) {
    const at = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      status,
      'content',
      'application/json',
      'schema',
    ]
    const pointer = at
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/')
    validators.set(`${operation.operationId} ${status}`, content && ajv.compile({ $ref: `api#/${pointer}` }))
  }
}

/** In what way an answer contradicts the document. */
const problemOf = (operationId: string, reply: Reply): string | undefined => {
  const name = `${operationId} ${reply.status}`
  const said = `${name}: ${reply.text.slice(0, 500)}`
  if (reply.status >= 500) return said
  const isRefusal = reply.status >= 400 && !validators.has(name)
  const key = isRefusal ? `${operationId} 4XX` : name
  if (!validators.has(key)) return `${said} (a status that the document does not have)`
  const validate = validators.get(key)
  if (!validate) return reply.text === '' ? undefined : `${said} (a body where there is none)`
  return validate(reply.body) ? undefined : `${said} (${ajv.errorsText(validate.errors)})`
}

// The document only has the default form of errors, and an enforced access list would refuse nearly everything.
const left = ['open.errorBody', 'open.errorEnvelope', 'open.accessListEnforced']
const variable = settings.filter(({ name, accepts }) => !accepts && !left.includes(name))

const randomSettings = fc
  .tuple(...variable.map(({ values }) => fc.constantFrom(...values)))
  .map((values) => Object.fromEntries(variable.map(({ name }, index) => [name, values[index] ?? ''])))

// Requests that succeed under most settings; endpoint 15 gets a window from the fixture.
const good = endpointCases.map(({ number, method, path, body, key }) => {
  const request = { operationId: `endpoint${number}`, method, path: path.replace(windowId, ids.absent), body }
  return [key ?? keys.ci, request] as const
})

test('random requests under random settings never give a 5xx, and each answer fits its schema', async () => {
  const requests = fc.array(
    fc.tuple(fc.constantFrom(keys.ci, keys.root, keys.sam, keys.reader), randomRequests(document)),
    { minLength: 30, maxLength: 60 },
  )
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(randomSettings, requests, async (chosen, sequence) => {
      const service = await startService({ fixture: windowed, settings: chosen })
      try {
        for (const [key, { operationId, method, path, body }] of [...good, ...sequence]) {
          const reply = await clientFor(service.baseUrl, key)(method, path, body)
          expect(problemOf(operationId, reply)).toBeUndefined()
          seen.add(`${operationId} ${Math.floor(reply.status / 100)}xx`)
        }
      } finally {
        await service.close()
      }
    }),
    { numRuns: runs(25) },
  )
  // Every endpoint has succeeded and refused at least once; otherwise the requests are not random enough.
  for (const { operation } of operationsOf(document))
    for (const kind of ['2xx', '4xx']) expect(seen).toContain(`${operation.operationId} ${kind}`)
})

test('random bytes on the wire are answered with a 4xx or not at all, and the service lives on', async () => {
  const { baseUrl, call } = await serve()
  const line = fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'PATCH', 'TRACE', 'CONNECT', 'M-SEARCH', 'OPTIONS', 'HEAD'),
      anyText({ maxLength: 40 }),
      fc.array(anyText({ maxLength: 40 }), { maxLength: 4 }),
    )
    .map(([method, path, headers]) =>
      Buffer.from(
        `${method} /api/public/v1.0/${path} HTTP/1.1\r\nHost: localhost\r\n${headers.join('\r\n')}\r\n\r\n`,
      ),
    )
  await holds(80, [fc.oneof(fc.uint8Array({ maxLength: 200 }), line)], async (bytes) => {
    const status = /^HTTP\/1\.1 (\d)/.exec(await sendBytes(baseUrl, bytes))?.[1]
    expect([undefined, '4']).toContain(status)
  })
  expect((await call('GET', `/groups/${ids.project}/alerts`)).status).toBe(200)
})

test('what is too large is refused', async () => {
  const { baseUrl, call } = await serve()
  const path = `/groups/${ids.project}/maintenanceWindows/`
  const body = await call('POST', path, { description: 'x'.repeat(1024 * 1024) })
  expect([body.status, body.body.errorCode]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  const deep = await call('POST', path, undefined, {
    body: `{"alertTypeNames":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    headers: { 'content-type': 'application/json' },
  })
  expect(deep.status).toBe(400)
  expect((await http('GET', `${baseUrl}/x`, { headers: { 'x-large': 'x'.repeat(20_000) } })).status).toBe(431)
  expect((await call('GET', `/users/${'x'.repeat(5000)}/accessList/x`)).status).toBe(414)
})

test.each(['%', '%zz', '%E0%A4%A', '..%2f..%2f', '%00', '//', '/./', '?', '#', '%20', "'%20OR%201=1"])(
  'the odd path %s is no 5xx',
  async (odd) => {
    const { call } = await serve()
    for (const path of [`/${odd}`, `/groups/${odd}/alerts`, `/groups/${ids.project}/hosts/${odd}/disks`]) {
      const { status } = await call('GET', path)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
  },
)

test.each(['%zz', '%FF', 'x'.repeat(1100)])(
  'who has no credentials is asked for them also where a path cannot be read, here %s',
  async (odd) => {
    const { baseUrl, call, control } = await serve()
    const path = `/groups/${odd}/alerts`
    const unasked = await http('GET', `${baseUrl}${path}`)
    expect([unasked.status, unasked.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('Digest'),
    ])
    const { status } = await call('GET', path)
    expect([400, 414]).toContain(status)
    const { log } = (await control('GET', '/requests')).body
    expect(log.at(-1)).toMatchObject({ path, status, key: keys.ci.publicKey })
  },
)

test('a method that a path does not have is 405 with those it has', async () => {
  const { call } = await serve()
  const list = `/groups/${ids.project}/alertConfigs`
  const wrong = await call('POST', list, {})
  expect([wrong.status, wrong.headers['allow'], wrong.body.errorCode]).toEqual([
    405,
    'GET',
    'METHOD_NOT_ALLOWED',
  ])
  const one = await call('DELETE', `${list}/${ids.config}`)
  expect([one.status, one.headers['allow']]).toEqual([405, 'PATCH, GET'])
  expect((await call('GET', `${list}/`)).status).toBe(404)
})
