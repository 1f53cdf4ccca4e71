import { RequestError } from './request-error.ts'

/** The service holds something that contradicts the request (409). */
export class ConflictError extends RequestError {
  static override readonly code = 'DM-CONFLICT'
  static override readonly meaning =
    'The service already holds something that contradicts the request, such as a user of the same name.'
  static override readonly remedy = 'Adopt what exists by its id, or change the declaration.'
}
