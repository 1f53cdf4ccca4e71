import { RequestError } from './request-error.ts'

/** The service failed by its own account (5xx). */
export class ServiceFailureError extends RequestError {
  static override readonly code = 'DM-SERVICE-FAILURE'
  static override readonly meaning =
    'The service answered that it failed. Reads were retried until the time for retries was used up.'
  static override readonly remedy =
    'Check the health and the logs of the service, then run the command again.'
}
