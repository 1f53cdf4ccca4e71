import { RequestError } from './request-error.ts'

/** The service answered with a redirect, which is never followed with credentials. */
export class RedirectError extends RequestError {
  static override readonly code = 'DM-REDIRECT'
  static override readonly meaning =
    'The service answered with a redirect. Redirects are never followed, so that the credentials are not sent anywhere else.'
  static override readonly remedy = 'Set DEPLOYMGMT_BASE_URL to the actual address of the service.'
}
