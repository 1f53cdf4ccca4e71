import type { RequestFacts } from '../errors/request-error.ts'
import { TlsError } from '../errors/tls-error.ts'
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
      return new TlsError(`${host} does not speak TLS: plain http, perhaps? (${message})`, {
        ...facts,
        hint: 'Check host and port of the base URL. If the service is reached over plain http, begin the base URL with http://; beyond this machine --allow-http is needed, too.',
      })
    if (aborted.test(message))
      return new TlsError(`${host} ended the TLS handshake (${message})`, {
        ...facts,
        hint: 'Check which versions of TLS and which ciphers the service offers: TLS 1.2 or later is needed. A certificate of the client is never sent.',
      })
  }
  return new TlsError(`no trusted TLS connection to ${host} (${code}: ${message})`, {
    ...facts,
    ...hintFor(code),
  })
}

const isOpenssl = (code: string): boolean => code === 'EPROTO' || /^ERR_(?:SSL|OSSL)_/v.test(code)

/** Another authority helps against none of these. */
const hintFor = (code: string): { hint?: string } => {
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return { hint: 'Use a name in the base URL that the certificate of the service has.' }
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return { hint: 'Renew the certificate of the service, or correct the clock of this machine.' }
    default:
      return {}
  }
}
