import { INTERRUPTED } from './interrupted.ts'
import { RequestError } from './request-error.ts'

/** The run was interrupted: the request was not sent, or a read was given up. */
export class CancelledError extends RequestError {
  static override readonly code = 'DM-CANCELLED'
  static override readonly meaning =
    'The run was interrupted. Reads were aborted, writes under way were awaited, and no other request was sent.'
  static override readonly remedy = 'Run again to continue.'

  override readonly exitCode: number = INTERRUPTED
}
