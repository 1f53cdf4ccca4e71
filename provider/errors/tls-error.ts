import { RequestError, type RequestFacts } from './request-error.ts'

/** Why no TLS connection came about, where it is known; another certificate authority helps against none of these. */
export type TlsFault = 'not-spoken' | 'handshake' | 'other-name' | 'not-valid-now'

/** No trusted TLS connection could be made. */
export class TlsError extends RequestError {
  static override readonly code = 'DM-TLS'
  static override readonly meaning =
    'No trusted TLS connection could be made: the certificate is not trusted, does not fit the name, or the other side does not speak TLS.'
  static override readonly remedy =
    'If the service has a certificate of a private authority, name its PEM file in DEPLOYMGMT_CA_FILE. Verification cannot be turned off.'

  readonly fault: TlsFault | undefined

  constructor(what: string, facts: RequestFacts, fault?: TlsFault) {
    super(what, fault === undefined ? facts : { ...facts, hint: ADVICE[fault] })
    this.fault = fault
  }
}

const ADVICE: Readonly<Record<TlsFault, string>> = {
  'not-spoken':
    'Check host and port of the base URL. If the service is reached over plain http, begin the base URL with http://; beyond this machine --allow-http is needed, too.',
  handshake:
    'Check which versions of TLS and which ciphers the service offers: TLS 1.2 or later is needed. A certificate of the client is never sent.',
  'other-name': 'Use a name in the base URL that the certificate of the service has.',
  'not-valid-now': 'Renew the certificate of the service, or correct the clock of this machine.',
}
