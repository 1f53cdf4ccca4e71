import { RequestError } from './request-error.ts'

/** No trusted TLS connection could be made. */
export class TlsError extends RequestError {
  static override readonly code = 'DM-TLS'
  static override readonly meaning =
    'No trusted TLS connection could be made: the certificate is not trusted, does not fit the name, or the other side does not speak TLS.'
  static override readonly remedy =
    'If the service has a certificate of a private authority, name its PEM file in DEPLOYMGMT_CA_FILE. Verification cannot be turned off.'
}
