import { RequestError } from './request-error.ts'

/** The thing, or its parent, does not exist at the service. */
export class NotFoundError extends RequestError {
  static override readonly code = 'DM-NOT-FOUND'
  static override readonly meaning =
    'The service knows no such thing: the id is wrong, it was removed, or the key cannot see it.'
  static override readonly remedy = 'Check the ids in the address above.'
}
