import { execFileSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../provider/api/index.ts'
import {
  BaseUrlError,
  CaFileError,
  CredentialsError,
  DeploymgmtError,
  InsecureUrlError,
  TlsError,
} from '../../../provider/errors/index.ts'
import { closed, listen } from '../../support/listen.ts'
import { selfSigned } from './support/certificate.ts'
import { begin, failure, json, startService } from './support/service.ts'

const good = { baseUrl: 'https://a.example/api/public/v1.0', publicKey: 'pub', privateKey: 'canary' }

const thrown = (options: Partial<Parameters<typeof createClient>[0]>): unknown => {
  try {
    createClient({ ...good, ...options })
    return undefined
  } catch (error) {
    return error
  }
}

describe('the base URL', () => {
  it.each([
    'a.example/api/public/v1.0',
    'ftp://a.example/api/public/v1.0',
    'https://a.example/',
    'https://a.example/api/public/v2.0',
    'https://a.example/api/public/v1.0?x=1',
    'https://a.example/api/public/v1.0#x',
    'https://ciadmin:canary@a.example/api/public/v1.0',
    'ciadmin:canary@a.example/api/public/v1.0',
    'https://a.example/api/public/v1.0?token=canary',
    'https://a.example/api/public/v1.0#canary',
    // A key in place of the URL.
    '1f2e3d4c-canary-0001',
    '',
  ])('is refused unless it can be one of the service: %s', (baseUrl) => {
    const error = thrown({ baseUrl })
    expect(error).toBeInstanceOf(BaseUrlError)
    expect((error as DeploymgmtError).describe()).not.toContain('canary')
  })

  it('may have a trailing slash and a path before', () => {
    expect(createClient({ ...good, baseUrl: 'https://a.example/ops/api/public/v1.0/' }).baseUrl).toBe(
      'https://a.example/ops/api/public/v1.0',
    )
  })

  it.each(['?', '#', '/?', '?#'])('may end with an empty query or fragment, which goes: %s', (end) => {
    const baseUrl = `${good.baseUrl}${end}`
    expect(createClient({ ...good, baseUrl }).baseUrl).toBe(good.baseUrl)
  })

  it.each([
    'http://192.0.2.1',
    'http://a.example',
    'http://localhost.example',
    'http://[2001:db8::1]',
    'http://0.0.0.0',
  ])('must be https for another machine: %s', (origin) => {
    const baseUrl = `${origin}/api/public/v1.0`
    expect(thrown({ baseUrl })).toBeInstanceOf(InsecureUrlError)
    expect(thrown({ baseUrl, allowHttp: true })).toBeUndefined()
  })

  it.each(['http://127.0.0.1:1', 'http://127.8.8.8', 'http://localhost:8080', 'http://[::1]:1'])(
    'may be plain http for this machine: %s',
    (origin) => {
      expect(thrown({ baseUrl: `${origin}/api/public/v1.0` })).toBeUndefined()
    },
  )
})

it.each([
  { publicKey: '' },
  { privateKey: '' },
  { publicKey: 'a b' },
  { publicKey: 'a\r\nx-injected: 1' },
  { privateKey: 'canary\n' },
])('refuses what cannot be a key pair: %j', (options) => {
  const error = thrown(options)
  expect(error).toBeInstanceOf(CredentialsError)
  expect((error as DeploymgmtError).describe()).not.toContain('canary')
})

it('says of white space around the private key to take it out, and not to set what is set', () => {
  expect((thrown({ privateKey: 'canary\n' }) as DeploymgmtError).describe()).toMatch(
    /such as a line break\n +Take it out\. [^\n]*$/,
  )
})

describe('TLS', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deploymgmt-ca-'))
  })
  afterAll(async () => rm(folder, { recursive: true }))

  it('is refused when no known authority vouches for the certificate, even against the environment', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      const { service, client } = await begin((_, response) => json(response, 200, {}), {
        tls: selfSigned(),
      })
      const error = await failure(client.send('POST', '/users', {}), TlsError)
      expect(error.outcome).toBe('not-sent')
      expect(service.log).toHaveLength(0)
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
    }
  })

  it('is trusted through the CA file', async () => {
    const tls = selfSigned()
    const caFile = join(folder, 'ca.pem')
    writeFileSync(caFile, `# Our authority\n${tls.cert}`)
    const { client } = await begin((_, response) => json(response, 200, { id: 'x' }), {
      tls,
      client: { caFile },
    })
    await expect(client.get('/a')).resolves.toMatchObject({ body: { id: 'x' } })
  })

  it('is refused for another name than the certificate has', async () => {
    const tls = selfSigned()
    const caFile = join(folder, 'ca2.pem')
    writeFileSync(caFile, tls.cert)
    const service = await startService((_, response) => json(response, 200, {}), { tls })
    const client = service.client({ caFile, baseUrl: service.baseUrl.replace('127.0.0.1', 'localhost') })
    const error = await failure(client.get('/a'), TlsError)
    expect(error.message).toContain('ERR_TLS_CERT_ALTNAME_INVALID')
    expect(error.hint).toBe('In the base URL, use a name that the certificate of the service contains.')
  })

  it('to a service that speaks plain http is an error of TLS', async () => {
    const service = await startService((_, response) => json(response, 200, {}))
    const client = service.client({ baseUrl: service.baseUrl.replace('http:', 'https:') })
    const error = await failure(client.send('POST', '/a', {}), TlsError)
    expect(error.outcome).toBe('not-sent')
    const { host } = new URL(service.baseUrl)
    expect(error.message).toBe(`${host} does not speak TLS: is it plain http? (wrong version number)`)
    expect(error.hint).toContain('begin the base URL with http://')
    expect(error.hint).not.toContain('DEPLOYMGMT_CA_FILE')
  })

  it('that the other side breaks off is reported with its reason, without details of the library', async () => {
    const server = createServer()
    server.on('tlsClientError', () => undefined)
    const host = `127.0.0.1:${await listen(server)}`
    const client = createClient({
      baseUrl: `https://${host}/api/public/v1.0`,
      publicKey: 'a',
      privateKey: 'b',
    })
    const error = await failure(client.get('/a'), TlsError)
    expect(error.message).toMatch(/ ended the TLS handshake \([\w\/ ]+\)$/v)
    expect(error.message).toContain(host)
    expect(error.describe()).not.toMatch(/EPROTO|routines|\.c\b|\\n|DEPLOYMGMT_CA_FILE/v)
    await client.close()
    await closed(server)
  })

  it.each([
    ['is not there', undefined],
    ['holds no certificate', 'hello'],
    ['holds a broken certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])('is refused with a clear error when the CA file %s', (_, content) => {
    const caFile = join(folder, 'bad.pem')
    if (content !== undefined) writeFileSync(caFile, content)
    const error = thrown({ caFile: content === undefined ? join(folder, 'absent.pem') : caFile })
    expect(error).toBeInstanceOf(CaFileError)
  })

  it('is refused at once when the CA file is a pipe, a device or far too large', () => {
    const pipe = join(folder, 'pipe.pem')
    execFileSync('mkfifo', [pipe])
    const large = join(folder, 'large.pem')
    writeFileSync(large, '')
    truncateSync(large, 1024 ** 3)
    for (const [caFile, why] of [
      [pipe, 'is not a file, but a pipe or a device'],
      ['/dev/zero', 'is not a file, but a pipe or a device'],
      [large, 'is too large for a certificate file'],
    ] as const)
      expect(thrown({ caFile })).toMatchObject({
        name: 'CaFileError',
        message: `the CA file ${why}`,
        where: caFile,
      })
  })
})
