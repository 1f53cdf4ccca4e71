import { RequestError } from './request-error.ts'

/** The service answered with a redirect, which is never followed with credentials. */
export class RedirectError extends RequestError {
  static override readonly code = 'DM-REDIRECT'
  static override readonly meaning =
    'The service answered with a redirect. Redirects are never followed, so that credentials go nowhere else.'
  static override readonly remedy = 'Set DEPLOYMGMT_BASE_URL to the address that the service really has.'
}
