import { RequestError } from './request-error.ts'

/** A list changed each time it was read. */
export class ListUnstableError extends RequestError {
  static override readonly code = 'DM-LIST-UNSTABLE'
  static override readonly meaning =
    'A list was read three times and changed between its pages each time, so it could not be read completely.'
  static override readonly remedy = 'Run the command again when fewer changes are being made at the service.'
}
