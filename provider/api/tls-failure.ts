import type { RequestFacts } from '../errors/request-error.ts'
import { TlsError, type TlsFault } from '../errors/tls-error.ts'
import type { Call } from './call.ts'
import type { Fault } from './wire-fault.ts'

/** OpenSSL's messages if the first bytes of the other side are no TLS record. */
const noTls =
  /wrong version number|packet length too long|http request|unknown protocol|record layer failure/iv
const aborted = /\balert\b|handshake|protocol version|no shared cipher/iv

/** Why a TLS connection failed, with the fault if it is known. */
export interface TlsFailure {
  /** A fragment: `db.example.com does not speak TLS: …`. */
  readonly what: string
  readonly fault: TlsFault | undefined
}

/** Explains a failed TLS connection to a host. */
export const tlsFailure = (host: string, { code, message }: Pick<Fault, 'code' | 'message'>): TlsFailure => {
  if (isOpenssl(code)) {
    if (noTls.test(message))
      return { what: `${host} does not speak TLS: is it plain http? (${message})`, fault: 'not-spoken' }
    if (aborted.test(message))
      return { what: `${host} ended the TLS handshake (${message})`, fault: 'handshake' }
  }
  return { what: `no trusted TLS connection to ${host} (${code}: ${message})`, fault: faultIn(code) }
}

/** The error for a failed TLS connection: what the fault was, and what helps against it. */
export const tlsError = (call: Call, failed: Fault, facts: RequestFacts): TlsError => {
  const { what, fault } = tlsFailure(call.url.host, failed)
  return new TlsError(what, facts, fault)
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
