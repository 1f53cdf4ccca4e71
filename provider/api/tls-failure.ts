import type { RequestFacts } from '../errors/request-error.ts'
import { TlsError, type TlsFault } from '../errors/tls-error.ts'
import type { Call } from './call.ts'
import type { Fault } from './wire-fault.ts'

/** What OpenSSL says when the first bytes of the other side are no record of TLS. */
const noTls =
  /wrong version number|packet length too long|http request|unknown protocol|record layer failure/iv
const aborted = /\balert\b|handshake|protocol version|no shared cipher/iv

/** The error for a TLS connection that did not come about: what it was, and what helps against just that. */
export const tlsError = (call: Call, { code, message }: Fault, facts: RequestFacts): TlsError => {
  const { host } = call.url
  if (isOpenssl(code)) {
    if (noTls.test(message))
      return new TlsError(
        `${host} does not speak TLS: plain http, perhaps? (${message})`,
        facts,
        'not-spoken',
      )
    if (aborted.test(message))
      return new TlsError(`${host} ended the TLS handshake (${message})`, facts, 'handshake')
  }
  return new TlsError(`no trusted TLS connection to ${host} (${code}: ${message})`, facts, faultIn(code))
}

const isOpenssl = (code: string): boolean => code === 'EPROTO' || /^ERR_(?:SSL|OSSL)_/v.test(code)

const faultIn = (code: string): TlsFault | undefined => {
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'other-name'
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return 'not-valid-now'
    default:
      return undefined
  }
}
