import { RequestError } from './request-error.ts'

/** The service asks for fewer requests (429), still after the retries that are allowed. */
export class RateLimitedError extends RequestError {
  static override readonly code = 'DM-RATE-LIMITED'
  static override readonly meaning =
    'The service asks for fewer requests, and did so until the time for retries was used up.'
  static override readonly remedy = 'Wait and run again, with a lower --concurrency.'
}
