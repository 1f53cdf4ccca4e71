import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StateAddressError, StateReadError } from '../../../../reconciler/errors/index.ts'
import { addressFrom, initState, openSession, readSession } from '../../../../reconciler/state/index.ts'
import { selfSigned } from '../../../provider/api/support/certificate.ts'
import { forwardProxy } from '../../../support/forward-proxy.ts'
import { temporaryFolder } from '../support/folder.ts'
import { expected, intentFor } from '../support/samples.ts'
import { system, optionsFor, begun, failureOf } from './support/http.ts'
import { CREDENTIALS, stateServer } from './support/state-server.ts'

test('a user without a password is a token, and is not shown', async () => {
  const env = { DEPLOYMGMT_STATE_USERNAME: 'canary-token' }
  const server = await stateServer()
  server.fate = ({ headers }) => ({ status: 400, body: `canary-token ${headers.authorization}` })
  const error = await failureOf(readSession(optionsFor(server), { ...system, env }))
  expect(String(error)).toContain('(hidden)')
  expect(String(error)).not.toContain('canary')
  expect(String(error)).not.toContain(Buffer.from('canary-token:').toString('base64'))
})

test.each([
  [
    'a wrong password',
    { ...CREDENTIALS, DEPLOYMGMT_STATE_PASSWORD: 'wrong-canary' },
    'a token may have expired',
  ],
  ['neither', {}, 'Set DEPLOYMGMT_STATE_USERNAME and DEPLOYMGMT_STATE_PASSWORD'],
  ['no password', { DEPLOYMGMT_STATE_USERNAME: 'canary' }, 'DEPLOYMGMT_STATE_PASSWORD is not set: set it.'],
  [
    'no user',
    { DEPLOYMGMT_STATE_PASSWORD: 'canary-password' },
    'DEPLOYMGMT_STATE_USERNAME is not set: set it.',
  ],
])('with %s nobody is let in, and nothing is shown of it', async (_, env, hint) => {
  const server = await stateServer('gitlab', { isOpen: false })
  for (const attempt of [initState, openSession, readSession]) {
    const error = await failureOf(attempt(optionsFor(server), { ...system, env }))
    expect(error).toMatchObject({ where: server.address, hint: expect.stringContaining(hint) })
    expect(String(error) + JSON.stringify(error)).not.toContain('canary')
  }
  expect(server.document).toBeUndefined()
})

test('credentials go only to the server of DEPLOYMGMT_STATE, if it names one, whatever a manifest names', async () => {
  const [own, other] = [await stateServer('gitlab'), await stateServer('gitlab', { isOpen: false })]
  const env = { ...CREDENTIALS, DEPLOYMGMT_STATE: own.address }
  const error = await failureOf(readSession(optionsFor(other), { ...system, env }))
  const { origin } = new URL(own.address)
  // The server logs nothing of a request without the right credentials.
  expect(other.log).toStrictEqual([])
  expect(error).toMatchObject({ hint: expect.stringContaining(`they are for ${origin} alone`) })
  await initState(optionsFor(own), { ...system, env })
  await readSession(optionsFor(other), { ...system, env: { ...env, DEPLOYMGMT_STATE: 'state.json' } })
})

test('no credential is in what is kept, nor in what is asked of the lock', async () => {
  const { server, open } = await begun('gitlab')
  const session = await open()
  await session.intent(intentFor('things.a'))
  const seen = server.log.map(({ path, query, body }) => `${path}?${String(query)} ${body}`).join('\n')
  expect(seen).not.toContain('canary')
  expect(seen).not.toContain(Buffer.from('ci:canary-password').toString('base64'))
  expect(server.log.every(({ headers }) => headers.authorization !== undefined)).toBe(true)
  await session.close().catch(() => undefined)
})

test('a certificate is trusted through the CA file, and else not', async () => {
  const tls = selfSigned()
  const server = await stateServer('gitlab', { isOpen: false, tls })
  await expect(readSession(optionsFor(server), system)).rejects.toMatchObject({
    code: StateReadError.code,
    message: expect.stringContaining('certificate'),
    hint: expect.stringContaining('DEPLOYMGMT_CA_FILE'),
  })
  expect(server.log).toStrictEqual([])
  const caFile = join(await temporaryFolder(), 'ca.pem')
  await writeFile(caFile, tls.cert)
  const trusting = { ...system, env: { ...CREDENTIALS, DEPLOYMGMT_CA_FILE: caFile } }
  await initState(optionsFor(server), trusting)
  expect((await readSession(optionsFor(server), trusting)).exists).toBe(true)
})

test('a state is reached through the proxy of the environment, which an error names without its password', async () => {
  const tls = selfSigned('192.0.2.1')
  const server = await stateServer('gitlab', { isOpen: false, tls })
  const { port, pathname } = new URL(server.address)
  const proxy = await forwardProxy(Number(port))
  const caFile = join(await temporaryFolder(), 'ca.pem')
  await writeFile(caFile, tls.cert)
  const options = { ...optionsFor(server), statePath: `https://192.0.2.1:${port}${pathname}` }
  const HTTPS_PROXY = `http://ci:canary@${proxy.host}`
  const given = { ...system, env: { ...CREDENTIALS, DEPLOYMGMT_CA_FILE: caFile, HTTPS_PROXY } }
  await initState(options, given)
  expect((await readSession(options, given)).exists).toBe(true)
  expect(proxy.asked.map(({ method }) => method)).toContain('CONNECT')
  proxy.refusal = '407 Who are you'
  const error = await failureOf(readSession(options, given))
  const what = `the proxy answered 407 Who are you, through the proxy ${proxy.host} of HTTPS_PROXY`
  expect(error).toMatchObject({ code: StateReadError.code, message: expect.stringContaining(what) })
  expect(String(error) + JSON.stringify(error)).not.toContain('canary')
  proxy.refusal = 'cut'
  await expect(readSession(options, given)).rejects.toThrow('the connection to the proxy ended unexpectedly')
})

test.each([
  ['does not speak TLS: is it plain http?', 'begin the address with http://', undefined],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'In the address, use a name that the certificate', selfSigned()],
])(
  'without TLS that can be used, it is said what it was, and nothing of OpenSSL: %s',
  async (what, hint, tls) => {
    const server = await stateServer('gitlab', { isOpen: false, ...(tls && { tls }) })
    const { host, port, pathname } = new URL(server.address)
    const called = tls === undefined ? host : `localhost:${port}`
    const caFile = join(await temporaryFolder(), 'ca.pem')
    await writeFile(caFile, tls?.cert ?? selfSigned().cert)
    const env = { ...CREDENTIALS, DEPLOYMGMT_CA_FILE: caFile }
    const options = { ...optionsFor(server), statePath: `https://${called}${pathname}` }
    const error = await failureOf(readSession(options, { ...system, env }))
    expect(error).toMatchObject({ code: StateReadError.code, hint: expect.stringContaining(hint) })
    expect(error).toMatchObject({ message: expect.stringContaining(what), where: options.statePath })
    expect(String(error)).not.toMatch(/routines|\.c:|does not answer/)
  },
)

test('plain http is for loopback, and for whoever accepts it', async () => {
  const address = { statePath: 'http://states.invalid/acme', folder: '/nowhere', expect: expected }
  await expect(readSession(address, system)).rejects.toMatchObject({
    code: StateAddressError.code,
    hint: expect.stringContaining('--allow-http'),
  })
  await expect(readSession({ ...address, allowHttp: true }, system)).rejects.toThrow(StateReadError)
})

test.each([
  'https://token-canary@example.com/x',
  'https://me:canary@example.com/x',
  'https://example.com/x?private_token=canary',
  'https://example.com/x?sv=2024&sig=canary',
  'https://example.com/x?code=canary',
  'https://example.com/x?jwt=canary',
  'https://example.com/x?ID=1',
  'https://example.com/x#canary',
  'https:canary',
  'https://',
])('the address %s is refused, and not shown', async (address) => {
  const error = await failureOf(Promise.resolve().then(() => addressFrom(address, '/')))
  expect(error).toBeInstanceOf(StateAddressError)
  expect(JSON.stringify(error) + String(error)).not.toContain('canary')
})

test.each([
  'https://example.com/states/acme',
  'https://example.com:8443/x?type=git&state=a/b.json',
  'https://gitlab.example.com/api/v4/projects/7/terraform/state/acme',
  'https://example.com/states/acme#lock',
  'http://127.0.0.1:8080/acme',
])('the address %s is taken', (address) => {
  expect(addressFrom(address, '/')).toBe(address)
})
