import { RequestError } from './request-error.ts'

/** The credentials were refused before any request had succeeded: nothing more is sent with them. */
export class AuthRejectedError extends RequestError {
  static readonly code = 'DM-AUTH-REJECTED'
  static override readonly meaning =
    'The service refused the credentials before any request had succeeded. Nothing more is sent with them.'
  static override readonly remedy =
    'Check DEPLOYMGMT_PUBLIC_KEY and DEPLOYMGMT_PRIVATE_KEY; the access list of a key can refuse this address too.'

  override readonly code = AuthRejectedError.code
}
