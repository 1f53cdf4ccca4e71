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
      return `Check host and port of the ${address}. If the ${server} is reached over plain http, begin the ${address} with http://; beyond this machine --allow-http is needed, too.`
    case 'handshake':
      return `Check which versions of TLS and which ciphers the ${server} offers: TLS 1.2 or later is needed. A certificate of the client is never sent.`
    case 'other-name':
      return `Use a name in the ${address} that the certificate of the ${server} has.`
    case 'not-valid-now':
      return `Renew the certificate of the ${server}, or correct the clock of this machine.`
  }
}
