import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import * as errors from '../../../provider/errors/index.ts'
import { createClient } from '../../../provider/api/index.ts'
import { begin, json, privateKey, publicKey, raw, startService, type Handler } from './support/service.ts'

// With a quote, so that it looks different inside JSON.
const password = 'canary-"password-1'
const body = { username: 'dana', password, integration: { apiToken: 'canary-token-2' } }

const echoing: Handler = (received, response) => {
  const echo = `${received.body} ${received.request.headers.authorization}`
  json(response, 400, {
    errorCode: 'WEAK_PASSWORD',
    detail: `"${password}" is weak, as is ${privateKey}`,
    parameters: [password, { p: password }],
    reason: echo,
  })
}

const cases: [string, Handler][] = [
  ['refused with its own values in the answer', echoing],
  ['answered by a failure', (_, response) => json(response, 500, { detail: `${privateKey} ${password}` })],
  ['answered with no JSON', (_, response) => raw(response, 200, `${password} ${privateKey}`)],
  [
    'answered with a secret as a key, twice',
    (_, response) => raw(response, 200, `{${JSON.stringify(password)}:1,${JSON.stringify(password)}:2}`),
  ],
  ['answered by a reset', (_, response) => void response.socket?.resetAndDestroy()],
  ['answered by no HTTP', (_, response) => void response.socket?.end(`${password}\r\n\r\n`)],
  ['not answered in time', () => {}],
  ['not permitted', (_, response) => json(response, 403, { detail: password })],
  [
    'redirected',
    (_, response) => {
      response.writeHead(302, { location: `https://x.example/${password}` })
      response.end()
    },
  ],
  [
    'cut',
    (_, response) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write(password, () => response.destroy())
    },
  ],
]

/** Everything that an error can show, to a person, a log or a crash report. */
const everythingIn = (error: unknown): string => {
  const { stack, cause } = error as errors.DeploymgmtError
  return [
    JSON.stringify(error),
    inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true, maxStringLength: null }),
    String(error),
    stack,
    (error as errors.DeploymgmtError).describe(),
    inspect(cause, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
  ].join('\n')
}

describe('no secret is in the error of a write that is', () => {
  it.each(cases)('%s', async (_, handler) => {
    const { client } = await begin(handler, { client: { deadlineMs: 300 } })
    const error: unknown = await client.send('POST', '/users', body).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(errors.RequestError)
    const shown = everythingIn(error)
    expect(shown).not.toContain('canary')
    expect(shown).not.toMatch(/response=|authorization|cnonce/iu)
  })

  it('refused for wrong credentials, or cannot be sent', async () => {
    const service = await startService(echoing)
    const wrong = service.client({ privateKey: 'canary-wrong' })
    const closed = createClient({ baseUrl: 'http://127.0.0.1:1/api/public/v1.0', publicKey, privateKey })
    for (const client of [wrong, wrong, closed]) {
      const error: unknown = await client.send('POST', '/users', body).catch((reason: unknown) => reason)
      expect(everythingIn(error)).not.toContain('canary')
    }
  })

  it('shows nothing of the keys when the client itself is inspected', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1/api/public/v1.0', publicKey, privateKey })
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain('canary')
    expect(JSON.stringify(client)).not.toContain('canary')
  })
})

it('takes out of an answer what was sent in secret, wherever the service repeats it', async () => {
  const { client } = await begin((_, response) => {
    response.setHeader('x-vendor-service-version', `v ${password}`)
    json(response, 200, {
      id: 'u1',
      desc: `was ${password}`,
      short: 'id',
      roles: [{ roleName: password, [password]: 1 }],
      key: privateKey,
      encoded: encodeURIComponent(password),
      count: 7,
    })
  })
  const answer = await client.send('POST', '/users', { ...body, token: 'id' })
  expect(answer.serviceVersion).toBe('v (hidden)')
  expect(answer.body).toEqual({
    id: 'u1',
    desc: 'was (hidden)',
    // A short secret is part of too many words.
    short: '(hidden)',
    roles: [{ roleName: '(hidden)', '(hidden)': 1 }],
    key: '(hidden)',
    encoded: '(hidden)',
    count: 7,
  })
})

it('makes what the service says printable and short', async () => {
  const { client } = await begin((_, response) =>
    json(response, 400, {
      errorCode: 'INVALID_\u001B[31mATTRIBUTE',
      detail: `\u001B]0;title\u0007\u202Eevil\u009B${'x'.repeat(5000)}`,
      parameters: ['a\nb', 7, null, { deep: '\u200B' }],
    }),
  )
  const error = await client.get('/a').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(errors.InvalidRequestError)
  const { message, detail, parameters, serviceErrorCode } = error as errors.InvalidRequestError
  expect(`${message}${detail}${serviceErrorCode}${parameters.join('')}`).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(serviceErrorCode).toBe(String.raw`INVALID_\u001B[31mATTRIBUTE`)
  expect(parameters).toEqual([String.raw`a\u000Ab`, '7', 'null', String.raw`{"deep":"\u200B"}`])
  expect(message.length).toBeLessThan(1000)
})
