import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createClient, proxyFor } from '../../../provider/api/index.ts'
import { CancelledError, ProxyError, TlsError, UnreachableError } from '../../../provider/errors/index.ts'
import { temporaryFolder } from '../../reconciler/state/support/folder.ts'
import { forwardProxy } from '../../support/forward-proxy.ts'
import { selfSigned } from './support/certificate.ts'
import { failure, json, privateKey, startService, type Handler } from './support/service.ts'

/** A documentation address, which no machine has. */
const FAR = '192.0.2.1'
const BASE = '/api/public/v1.0'
const ok: Handler = (_, response) => json(response, 200, { id: 'x' })

/** A service that only a proxy reaches, and a client that is told of the proxy. */
const behindProxy = async (handler: Handler = ok, scheme: 'https' | 'http' = 'https') => {
  const tls = selfSigned(FAR)
  const service = await startService(handler, scheme === 'https' ? { tls } : {})
  const proxy = await forwardProxy(Number(new URL(service.baseUrl).port))
  const caFile = join(await temporaryFolder(), 'ca.pem')
  await writeFile(caFile, tls.cert)
  const name = scheme === 'https' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const proxies = { [name]: `http://ci:canary-proxy@${proxy.host}` }
  const baseUrl = `${scheme}://${FAR}:8443${BASE}`
  const client = service.client({ baseUrl, caFile, allowHttp: true, proxies })
  return { service, proxy, client, baseUrl, proxies, caFile }
}

describe('a proxy of the environment', () => {
  it('makes a connection to the service, and learns nothing but its host', async () => {
    const { service, proxy, client } = await behindProxy()
    for (const each of ['/a', '/b', '/c'])
      await expect(client.get(each)).resolves.toMatchObject({ body: { id: 'x' } })
    expect(service.good().map(({ path }) => path)).toEqual(['/a', '/b', '/c'])
    const basic = `Basic ${Buffer.from('ci:canary-proxy').toString('base64')}`
    expect(proxy.asked).toMatchObject([
      { method: 'CONNECT', target: `${FAR}:8443`, headers: { 'proxy-authorization': basic } },
    ])
    expect(JSON.stringify(service.log.map(({ request }) => request.headers))).not.toContain(basic)
  })

  it('passes on requests of plain http, where that is allowed', async () => {
    const { service, proxy, client, baseUrl } = await behindProxy(ok, 'http')
    await client.get('/a')
    expect(service.good().map(({ path }) => path)).toEqual(['/a'])
    expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set([`${baseUrl}/a`]))
  })

  it('does not vouch for the service', async () => {
    const { service, baseUrl, proxies } = await behindProxy()
    const error = await failure(service.client({ baseUrl, proxies }).send('POST', '/a', {}), TlsError)
    expect(error.outcome).toBe('not-sent')
    expect(service.log).toEqual([])
  })

  it.each([
    ['407 Proxy Authentication Required', 'the proxy answered 407 Proxy Authentication Required'],
    ['403 Forbidden by policy', 'the proxy answered 403 Forbidden by policy'],
    ['cut', 'the connection to the proxy ended unexpectedly'],
  ] as const)('that refuses (%s) is named, and nothing was sent', async (refusal, what) => {
    const { service, proxy, client } = await behindProxy()
    proxy.refusal = refusal
    const error = await failure(client.send('POST', '/a', {}), UnreachableError)
    expect(error.outcome).toBe('not-sent')
    expect(error.message).toContain(`no connection to ${FAR}:8443 through the proxy ${proxy.host} (${what})`)
    expect(error.hint).toContain('Check HTTPS_PROXY')
    expect(error.hint.includes('http://USER:PASSWORD@HOST:PORT')).toBe(refusal.startsWith('407'))
    expect(error.describe()).not.toContain('canary')
    expect(service.log).toEqual([])
  })

  it('that is not there is named', async () => {
    const { client, proxy } = await behindProxy()
    const nobody = createClient({
      baseUrl: `https://${FAR}:8443${BASE}`,
      publicKey: 'a',
      privateKey: 'b',
      totalRetryMs: 0,
      proxies: { https_proxy: '127.0.0.1:1' },
    })
    const error = await failure(nobody.get('/a'), UnreachableError)
    expect(error.message).toBe(`no connection to ${FAR}:8443 through the proxy 127.0.0.1:1 (ECONNREFUSED)`)
    expect(error.hint).toContain('Check https_proxy')
    await nobody.close()
    await client.close()
    expect(proxy.asked).toEqual([])
  })

  it.each(['silence', 'no more'] as const)(
    'that makes no connection is given up at the deadline, and its connection is ended: %s',
    async (refusal) => {
      const { service, proxy, baseUrl, caFile, proxies } = await behindProxy()
      proxy.refusal = refusal
      const client = service.client({ baseUrl, caFile, proxies, deadlineMs: 300, totalRetryMs: 0 })
      const error = await failure(client.send('POST', '/a', {}), UnreachableError)
      expect(error.outcome).toBe('not-sent')
      expect(error.message).toBe(
        `no connection to ${FAR}:8443 through the proxy ${proxy.host} (it has made none within 0.3 s)`,
      )
      expect(error.hint).toContain('Check HTTPS_PROXY')
      await proxy.idle()
    },
  )

  it('that makes no connection is given up at once when the work is interrupted', async () => {
    const { service, proxy, baseUrl, caFile, proxies } = await behindProxy()
    proxy.refusal = 'no more'
    const interrupt = new AbortController()
    const client = service.client({ baseUrl, caFile, proxies, signal: interrupt.signal })
    const asked = failure(client.get('/a'), CancelledError)
    await proxy.reached()
    interrupt.abort()
    expect((await asked).outcome).toBe('not-sent')
    await client.close()
    await proxy.idle()
  })

  it('leaves the outcome of a write unknown if the connection ends behind it', async () => {
    const { client } = await behindProxy(({ method, request }, response) =>
      method === 'GET' ? ok({ method } as never, response) : void request.socket.destroy(),
    )
    await client.get('/a')
    const error = await failure(client.send('PATCH', '/a', {}), UnreachableError)
    expect(error.outcome).toBe('unknown')
    expect(error.message).toContain('was lost')
  })
})

describe('which proxy is used', () => {
  const env = { HTTPS_PROXY: 'http://secure.example:3128', HTTP_PROXY: 'plain.example' }
  const hostFor = (address: string, more: Record<string, string> = {}): string | undefined =>
    proxyFor(new URL(address), { ...env, ...more })?.host

  it('depends on the scheme of the address', () => {
    expect(hostFor('https://a.example')).toBe('secure.example:3128')
    expect(hostFor('http://a.example')).toBe('plain.example')
    expect(proxyFor(new URL('https://a.example'), {})).toBeUndefined()
  })

  it('is that in small letters, if both are set; an empty one is not set', () => {
    expect(hostFor('https://a.example', { https_proxy: 'other.example:1' })).toBe('other.example:1')
    expect(hostFor('https://a.example', { https_proxy: ' ' })).toBe('secure.example:3128')
  })

  it.each(['https://127.0.0.1:1', 'http://localhost', 'https://[::1]', 'http://127.8.8.8'])(
    'is none for this machine: %s',
    (address) => {
      expect(hostFor(address)).toBeUndefined()
    },
  )

  it.each([
    ['https://a.example', '*'],
    ['https://a.example', 'a.example'],
    ['https://deploy.A.example', 'a.example'],
    ['https://deploy.a.example', '.a.example'],
    ['https://deploy.a.example', '*.a.example'],
    ['https://a.example', 'b.example, A.Example'],
    ['https://a.example', 'b.example a.example'],
    ['https://a.example', 'a.example:443'],
    ['https://a.example:8443', '.example:8443'],
    ['http://a.example', 'a.example:80'],
    ['https://10.1.2.3', '10.1.2.3'],
    ['https://10.1.2.3', '10.0.0.0/8'],
    ['https://[2001:db8::1]', '2001:db8::1'],
    ['https://[2001:db8::1]:8443', '[2001:db8::1]:8443'],
    ['https://[2001:db8::1]', '2001:db8::/32'],
    ['https://[2001:db8::1]', '[2001:db8::]/32'],
    ['https://[2001:db8::1]', '2001:db8:0::1'],
    ['https://a.example.', 'a.example'],
    ['https://a.example', 'a.example.'],
    ['https://bücher.example', 'bücher.example'],
  ])('is none for %s if NO_PROXY is %s', (address, excepted) => {
    expect(hostFor(address, { NO_PROXY: excepted })).toBeUndefined()
    expect(hostFor(address, { NO_PROXY: 'all.example', no_proxy: excepted })).toBeUndefined()
  })

  it.each([
    ['https://ba.example', 'a.example'],
    ['https://a.example', 'deploy.a.example'],
    ['https://a.example', 'a.example:8443'],
    ['https://10.1.2.3', '2.3'],
    ['https://10.1.2.3', '11.0.0.0/8'],
    ['https://10.1.2.3', '10.0.0.0/99'],
    ['https://10.1.2.3', '::/0'],
    ['https://a.example', '10.0.0.0/8'],
    ['https://a.example', ''],
    ['https://a.example', ','],
    ['https://a.example.', '*.'],
    ['https://a.example', ':443'],
  ])('is used for %s if NO_PROXY is %s', (address, excepted) => {
    expect(hostFor(address, { NO_PROXY: excepted })).toBe('secure.example:3128')
  })

  it.each([
    ['http://ci:canary@', 'it is not an address'],
    ['socks5://ci:canary@proxy.example:1080', 'a proxy of the kind socks5:// is not supported'],
    ['https://ci:canary@proxy.example', 'a proxy of the kind https:// is not supported'],
    ['http://ci:12/canary@proxy.example', 'it has more than a host and a port'],
    ['http://ci:canary%@proxy.example', 'write % as %25'],
  ])('is refused, without what it holds: %s', async (value, what) => {
    const proxies = { HTTPS_PROXY: value }
    const options = { baseUrl: `https://a.example${BASE}`, publicKey: 'a', privateKey, proxies }
    const error = await failure(
      Promise.resolve().then(() => createClient(options)),
      ProxyError,
    )
    expect(error).toMatchObject({ message: expect.stringContaining(what), where: 'HTTPS_PROXY' })
    expect(error.describe()).not.toContain('canary')
  })
})
