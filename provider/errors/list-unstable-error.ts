import { RequestError } from './request-error.ts'

/** A list changed, or contradicted itself, each time it was read. */
export class ListUnstableError extends RequestError {
  static override readonly code = 'DM-LIST-UNSTABLE'
  static override readonly meaning =
    'A list was read three times, and each time it changed between its pages or contradicted itself, so it could not be read completely.'
  static override readonly remedy = 'Run the command again when fewer changes are being made at the service.'
}
