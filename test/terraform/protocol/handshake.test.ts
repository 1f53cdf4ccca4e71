import { X509Certificate, createPrivateKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createServerCertificate, parseCertificate } from '../../../provider/terraform/plugin/certificate.ts'
import {
  HandshakeError,
  handshakeLine,
  readClientCertificate,
  reattachValue,
} from '../../../provider/terraform/plugin/handshake.ts'
import { createLogger, wantsLogs } from '../../../provider/terraform/plugin/log.ts'
import { COOKIE } from './support/plugin-host.ts'

const NOW = Date.parse('2030-06-01T12:00:00.123Z')

describe('the certificate', () => {
  it('is for localhost, signed by its own P-256 key, and valid now', () => {
    const { der, certificate, key } = createServerCertificate(NOW)
    const parsed = new X509Certificate(der)
    expect(parsed.checkHost('localhost')).toBe('localhost')
    expect(parsed.checkHost('example.com')).toBe(undefined)
    expect(parsed.verify(parsed.publicKey)).toBe(true)
    expect(parsed.checkIssued(parsed)).toBe(true)
    expect(parsed.checkPrivateKey(createPrivateKey(key))).toBe(true)
    expect(parsed.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
    expect(parsed.ca).toBe(true)
    expect(parsed.validFromDate.toISOString()).toBe('2030-05-31T12:00:00.000Z')
    expect(parsed.validToDate.toISOString()).toBe('2031-06-01T12:00:00.000Z')
    expect(parseCertificate(certificate)?.raw).toEqual(der)
  })

  it('is another one in every process', () => {
    const [one, other] = [createServerCertificate(NOW), createServerCertificate(NOW)]
    expect(new X509Certificate(one.der).serialNumber).not.toBe(new X509Certificate(other.der).serialNumber)
    expect(one.key).not.toBe(other.key)
  })

  it('can be valid across the year in which the spelling of years changes', () => {
    const parsed = new X509Certificate(createServerCertificate(Date.parse('2049-07-01T00:00:00Z')).der)
    expect(parsed.validFromDate.getUTCFullYear()).toBe(2049)
    expect(parsed.validToDate.toISOString()).toBe('2050-07-01T00:00:00.000Z')
  })
})

describe('the handshake', () => {
  it.each(['6', '5,6', '6,5', ' 6 , 5 ', '', undefined])('takes the versions %j', (versions) => {
    const env = { ...COOKIE, PLUGIN_CLIENT_CERT: 'pem', PLUGIN_PROTOCOL_VERSIONS: versions }
    expect(readClientCertificate(env)).toBe('pem')
  })

  it.each(['5', '16', '60,61'])('refuses the versions %j', (versions) => {
    expect(() => readClientCertificate({ ...COOKIE, PLUGIN_PROTOCOL_VERSIONS: versions })).toThrow(
      HandshakeError,
    )
  })

  it('says where to connect, without padding', () => {
    const unix = { network: 'unix', path: '/tmp/x/plugin.sock' } as const
    expect(handshakeLine(unix, Buffer.from('a'))).toBe('1|6|unix|/tmp/x/plugin.sock|grpc|YQ\n')
    expect(handshakeLine({ network: 'tcp', port: 80 }, undefined)).toBe('1|6|tcp|127.0.0.1:80|grpc|\n')
  })

  it('can be given to a Terraform that starts later', () => {
    const value: unknown = JSON.parse(reattachValue('host/a/b', { network: 'tcp', port: 80 }, 12))
    expect(value).toEqual({
      'host/a/b': {
        Protocol: 'grpc',
        ProtocolVersion: 6,
        Pid: 12,
        Test: true,
        Addr: { Network: 'tcp', String: '127.0.0.1:80' },
      },
    })
  })
})

describe('the log', () => {
  it('writes one JSON object a line, its time with six fractional digits', () => {
    const lines: string[] = []
    const log = createLogger({ write: (text) => lines.push(text), now: () => NOW, verbose: false })
    log.warn('two\nlines', { count: 2 })
    log.error('bad')
    log.debug('not asked for')
    expect(lines).toEqual([
      '{"count":2,"@level":"warn","@message":"two\\nlines","@timestamp":"2030-06-01T12:00:00.123000Z"}\n',
      '{"@level":"error","@message":"bad","@timestamp":"2030-06-01T12:00:00.123000Z"}\n',
    ])
  })
  it.each([
    [{}, 0],
    [{ TF_LOG: 'off' }, 0],
    [{ TF_LOG: 'INFO', TF_LOG_PROVIDER: 'OFF' }, 0],
    [{ TF_LOG: 'trace' }, 1],
    [{ TF_LOG_PROVIDER: 'DEBUG' }, 1],
  ])('is at length only where Terraform was asked for it: %j', (env, count) => {
    const lines: string[] = []
    createLogger({ write: (text) => lines.push(text), now: () => NOW, verbose: wantsLogs(env) }).trace('x')
    expect(lines).toHaveLength(count)
  })
})
