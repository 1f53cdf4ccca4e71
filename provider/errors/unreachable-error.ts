import { RequestError } from './request-error.ts'

/** No connection, or it broke before an answer began. */
export class UnreachableError extends RequestError {
  static override readonly code = 'DM-UNREACHABLE'
  static override readonly meaning =
    'The service could not be reached, or the connection was lost before an answer began.'
  static override readonly remedy = 'Check the base URL, the network, and that the service is running.'
}
