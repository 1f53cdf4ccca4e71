/** Unusual requests that clients may send. */
import { describe, expect, test } from 'vitest'
import { http } from './support/client.ts'
import { answer, readChallenge } from './support/digest.ts'
import { newWindow } from './support/endpoints.ts'
import { ids, keys } from './support/fixture.ts'
import { type TestService, serve, serveWith } from './support/service.ts'
import { resetAfter, sendBytes, sendInParts } from './support/socket.ts'

const alerts = `/groups/${ids.project}/alerts`
const windows = `/groups/${ids.project}/maintenanceWindows/`

/** The bytes of a request by the CI key; `target` is for the request line, `uri` for the credentials. */
const bytesOf = async (
  { baseUrl }: TestService,
  method: string,
  { target, uri = target, body = '' }: { target: string; uri?: string; body?: string },
): Promise<string> => {
  const challenge = readChallenge(String((await http('GET', baseUrl)).headers['www-authenticate']))
  return [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${answer(challenge, keys.ci, { method, target: uri }, 1)}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

const statusesIn = (text: string): string[] => text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []

describe('what is not HTTP', () => {
  test.each(['GARBAGE\r\n\r\n', '\0', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`])(
    'does not pass for the answer of a request before it on its connection, here %j',
    async (rest) => {
      const service = await serve()
      const { pathname } = new URL(service.baseUrl + windows)
      const write = await bytesOf(service, 'POST', { target: pathname, body: JSON.stringify(newWindow) })
      const read = await bytesOf(service, 'GET', { target: new URL(service.baseUrl + alerts).pathname })
      // The refusal also waits for what takes longer than the first answer.
      await service.control('POST', '/faults', { fault: 'latency', ms: 50, method: 'GET' })
      const answers = await sendBytes(service.baseUrl, write + read + rest, { ends: false })
      expect(statusesIn(answers)).toEqual(['200', '200', expect.stringMatching(/^4/)])
    },
  )

  test('is refused at once where it is within a request', async () => {
    const service = await serve()
    const { pathname } = new URL(service.baseUrl + windows)
    const head = `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n`
    const [authorization] =
      /Authorization: .*\r\n/.exec(await bytesOf(service, 'POST', { target: pathname })) ?? []
    expect(statusesIn(await sendBytes(service.baseUrl, `${head}${authorization}\r\nzz\r\n`))).toEqual(['400'])
  })

  test('is not answered where it is the rest of a request that was answered early', async () => {
    const service = await serve()
    const { pathname } = new URL(service.baseUrl + windows)
    const head = `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\n`
    for (const [start, rest] of [
      [`${head}Content-Length: 100\r\n\r\n`, '{'],
      [`${head}Transfer-Encoding: chunked\r\n\r\n`, 'zz\r\n'],
    ] as const) {
      await service.control('DELETE', '/requests')
      const answers = await sendInParts(service.baseUrl, [start, rest], async () => {
        while ((await service.control('GET', '/requests')).body.log[0]?.status !== 401);
      })
      expect(statusesIn(answers)).toEqual(['401'])
    }
  })

  test('leaves the answers before it on its connection, also where it is the rest of a refused request', async () => {
    const service = await serve()
    const { pathname } = new URL(service.baseUrl + windows)
    const read = await bytesOf(service, 'GET', { target: new URL(service.baseUrl + alerts).pathname })
    const refused = `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`
    await service.control('DELETE', '/requests')
    await service.control('POST', '/faults', { fault: 'latency', ms: 200, method: 'GET' })
    const isRefused = async (): Promise<boolean> =>
      (await service.control('GET', '/requests')).body.log.some(({ method }: any) => method === 'POST')
    const untilRefused = async (): Promise<void> => {
      while (!(await isRefused()));
    }
    const answers = await sendInParts(service.baseUrl, [read + refused, 'zz\r\n'], untilRefused, {
      ends: false,
    })
    expect(statusesIn(answers)).toEqual(['200', '401'])
  })

  test.each(['GARBAGE\r\n\r\n', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'])(
    'is refused with the headers and the body of every answer, here %j',
    async (bytes) => {
      const text = await sendBytes((await serve()).baseUrl, bytes)
      expect(statusesIn(text)).toEqual(['400'])
      expect(text).toMatch(/\r\nstrict-transport-security: max-age=300\r\n/)
      expect(text).toMatch(/\r\nconnection: close\r\n/i)
      expect(text).toContain('"errorCode":"BAD_REQUEST"')
    },
  )
})

test('a request whose client has reset the connection before it was read is not carried out, and is no defect', async () => {
  const service = await serve()
  await service.control('DELETE', '/requests')
  const { pathname } = new URL(service.baseUrl + windows)
  const write = await bytesOf(service, 'POST', { target: pathname, body: JSON.stringify(newWindow) })
  await resetAfter(service.baseUrl, write)
  const { results } = (await service.call('GET', `/orgs/${ids.org}/events`)).body
  const names = results.map((event: { eventTypeName: string }) => event.eventTypeName)
  expect(names).not.toContain('MAINTENANCE_WINDOW_ADDED_AUDIT')
  const { log } = (await service.control('GET', '/requests')).body
  expect(log.find(({ method }: { method: string }) => method === 'POST')).toMatchObject({ status: 0 })
})

test('a caller that loses its role while its body is on its way is refused', async () => {
  const service = await serve()
  const { pathname } = new URL(service.baseUrl + windows)
  const write = await bytesOf(service, 'POST', { target: pathname, body: JSON.stringify(newWindow) })
  const key = `/orgs/${ids.org}/apiKeys/${ids.ciKey}`
  const answers = await sendInParts(service.baseUrl, [write.slice(0, -1), write.slice(-1)], async () => {
    const inTransit = async (): Promise<boolean> =>
      (await service.control('GET', '/requests')).body.log.some(
        ({ method, status }: { method: string; status: number | null }) =>
          method === 'POST' && status === null,
      )
    while (!(await inTransit()));
    expect((await service.as(keys.root)('PATCH', key, { roles: ['ORG_MEMBER'] })).status).toBe(200)
  })
  expect(statusesIn(answers)).toEqual(['401'])
  expect(answers).toContain('USER_UNAUTHORIZED')
})

test('an expectation that nothing meets is refused with the headers and the body of every answer', async () => {
  const service = await serve()
  const reply = await http('GET', service.baseUrl + alerts, { headers: { expect: 'other' } })
  expect(reply.status).toBe(417)
  expect(reply.headers).toMatchObject({
    'content-type': 'application/json',
    'strict-transport-security': 'max-age=300',
    'x-vendor-service-version': expect.any(String),
  })
  expect(reply.body).toMatchObject({ error: 417, errorCode: 'BAD_REQUEST', reason: 'Expectation Failed' })
})

test.each([
  ['1.0', '', '401'],
  ['1.0', 'Host: other.example.com\r\n', '421'],
  ['1.1', '', '400'],
  ['1.1', 'Host: localhost\r\nHost: other.example.com\r\n', '400'],
  ['1.1', 'Host: localhost\r\nHost: localhost\r\n', '400'],
])('HTTP %s with the Host headers %j is answered %s', async (version, hosts, status) => {
  const { baseUrl } = await serve()
  const text = `GET ${new URL(baseUrl).pathname}/users HTTP/${version}\r\n${hosts}Connection: close\r\n\r\n`
  expect(statusesIn(await sendBytes(baseUrl, text))).toEqual([status])
})

describe('a target that is a full URL', () => {
  test('is that of its path, whichever of the two the credentials name', async () => {
    const service = await serve()
    const url = service.baseUrl + alerts
    for (const uri of [url, new URL(url).pathname])
      expect(
        statusesIn(await sendBytes(service.baseUrl, await bytesOf(service, 'GET', { target: url, uri }))),
      ).toEqual(['200'])
    const wrong = await sendBytes(service.baseUrl, await bytesOf(service, 'PUT', { target: url }))
    expect(statusesIn(wrong)).toEqual(['405'])
    const { log } = (await service.control('GET', '/requests')).body
    expect(log.at(-1)).toMatchObject({ method: 'PUT', path: alerts })
  })
})

test('a path that ends where its last parameter should be is no path of the API', async () => {
  const { call, control } = await serve()
  await control('DELETE', '/requests')
  for (const [method, path, status] of [
    ['GET', `${alerts}/`, 404],
    ['GET', `/groups/${ids.project}/agents/`, 404],
    ['GET', '/globalAlerts/', 404],
    ['GET', `/users/${ids.sam}/accessList/`, 404],
    ['GET', '/groups//alerts', 404],
    ['DELETE', `/groups/${ids.project}/integrations/`, 404],
    ['PATCH', windows, 405],
  ] as const) {
    const reply = await call(method, path, method === 'PATCH' ? { description: 'x' } : undefined)
    expect([path, reply.status, reply.body.errorCode]).toEqual([
      path,
      status,
      status === 405 ? 'METHOD_NOT_ALLOWED' : 'RESOURCE_NOT_FOUND',
    ])
  }
  expect((await control('GET', '/requests')).body.counts).toEqual({ challenges: 1, unmatched: 7 })
})

test('the link of a list to itself is a request with the same answer', async () => {
  const service = await serveWith({ 'open.unknownQueryParameters': 'reject' })
  for (const [key, path] of [
    [keys.ci, alerts],
    [keys.sam, `/users/${ids.sam}/accessList/203.0.113.5`],
  ] as const) {
    const shown = await service.as(key)('GET', `${path}?envelope=true&pretty=true`)
    const { href } = shown.body.links[0]
    const again = await service.as(key)('GET', href.replace(service.baseUrl, ''))
    expect([again.status, again.text]).toEqual([200, shown.text])
  }
})
