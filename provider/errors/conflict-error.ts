import { RequestError } from './request-error.ts'

/** The service holds something that contradicts the request (409). */
export class ConflictError extends RequestError {
  static override readonly code = 'DM-CONFLICT'
  static override readonly meaning =
    'The request conflicts with something that exists at the service, such as a user with the same name.'
  static override readonly remedy =
    'Change the declaration, or adopt the existing one if you know its id; some kinds are in no list.'
}
