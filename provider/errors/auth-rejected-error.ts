import { RequestError } from './request-error.ts'

/** The credentials were refused before any request had succeeded: nothing more is sent with them. */
export class AuthRejectedError extends RequestError {
  static override readonly code = 'DM-AUTH-REJECTED'
  static override readonly meaning =
    'The service refused the credentials before any request had succeeded. Nothing more is sent with them.'
  static override readonly remedy =
    'Check DEPLOYMGMT_PUBLIC_KEY and DEPLOYMGMT_PRIVATE_KEY. If they are right, the key lacks a role that the request needs, or its access list refuses this address.'

  /** What to do about a refused request, given what the API's description asks of the key. */
  static readonly advice = (keyNeeds: string): string =>
    `Check DEPLOYMGMT_PUBLIC_KEY and DEPLOYMGMT_PRIVATE_KEY. If they are right: the key needs ${keyNeeds} for this, and its access list must permit this address. The service can give the same answer for each of these causes.`
}
