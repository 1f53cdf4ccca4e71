import { RequestError, type RequestFacts } from './request-error.ts'

/** Why no TLS connection came about, where it is known; another certificate authority helps against none of these. */
export type TlsFault = 'not-spoken' | 'handshake' | 'other-name' | 'not-valid-now'

/** No trusted TLS connection could be made. */
export class TlsError extends RequestError {
  static override readonly code = 'DM-TLS'
  static override readonly meaning =
    'No trusted TLS connection could be made: the certificate is not trusted or does not match the host name, or the other side does not speak TLS.'
  static override readonly remedy =
    'If the service has a certificate from a private authority, name that authority’s PEM file in DEPLOYMGMT_CA_FILE. Verification cannot be turned off.'

  readonly fault: TlsFault | undefined

  constructor(what: string, facts: RequestFacts, fault?: TlsFault) {
    super(
      what,
      fault === undefined
        ? facts
        : { ...facts, hint: tlsAdvice(fault, { address: 'base URL', server: 'service' }) },
    )
    this.fault = fault
  }
}

/** What helps against it, by what the address and the other side are called. */
export const tlsAdvice = (
  fault: TlsFault,
  { address, server }: { readonly address: string; readonly server: string },
): string => {
  switch (fault) {
    case 'not-spoken':
      return `Check the host and port of the ${address}. If the ${server} uses plain http, begin the ${address} with http://; unless it is on this machine, you also need --allow-http.`
    case 'handshake':
      return `Check which TLS versions and ciphers the ${server} offers: TLS 1.2 or later is needed. No client certificate is ever sent.`
    case 'other-name':
      return `In the ${address}, use a name that the certificate of the ${server} contains.`
    case 'not-valid-now':
      return `Renew the certificate of the ${server}, or correct the clock of this machine.`
  }
}
