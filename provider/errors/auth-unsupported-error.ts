import { RequestError } from './request-error.ts'

/** The service asks for a kind of authentication that this client does not speak. */
export class AuthUnsupportedError extends RequestError {
  static override readonly code = 'DM-AUTH-UNSUPPORTED'
  static override readonly meaning =
    'The service asks for a kind of authentication other than HTTP Digest with MD5 or SHA-256.'
  static override readonly remedy =
    'Check that the base URL leads to the service itself and not to a proxy or login page.'
}
