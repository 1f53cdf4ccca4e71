import { RequestError } from './request-error.ts'

/** The run was interrupted: the request was not sent, or a read was given up. */
export class CancelledError extends RequestError {
  static override readonly code = 'DM-CANCELLED'
  static override readonly meaning =
    'The run was interrupted. Requests that had not left were not sent; reads were given up; writes that had left were awaited.'
  static override readonly remedy = 'Run again to continue.'

  override readonly exitCode: number = 130
}
