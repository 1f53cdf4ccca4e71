import { RequestError } from './request-error.ts'

/** A list changed each time it was read. */
export class ListUnstableError extends RequestError {
  static override readonly code = 'DM-LIST-UNSTABLE'
  static override readonly meaning =
    'A list changed between its pages each of the three times it was read, so no reading of it is complete.'
  static override readonly remedy = 'Run again when less is being changed at the service.'
}
