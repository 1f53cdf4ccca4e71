import { RequestError } from './request-error.ts'

/** The service asks for fewer requests (429), and went on refusing all of them, or says that it will for long. */
export class RateLimitedError extends RequestError {
  static override readonly code = 'DM-RATE-LIMITED'
  static override readonly meaning =
    'The service asked for fewer requests: it accepted none for three minutes, or said that it would not, or did not say when a creation may be sent again.'
  static override readonly remedy =
    'Wait, then run the command again. Whatever else uses the same key may count towards the limit, too.'
}
