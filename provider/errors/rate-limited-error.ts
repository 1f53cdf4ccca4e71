import { RequestError } from './request-error.ts'

/** The service asks for fewer requests (429), still after the retries that are allowed. */
export class RateLimitedError extends RequestError {
  static override readonly code = 'DM-RATE-LIMITED'
  static override readonly meaning =
    'The service asked for fewer requests, and still did when the time for retries was used up.'
  static override readonly remedy = 'Wait, then run the command again with a lower --concurrency.'
}
