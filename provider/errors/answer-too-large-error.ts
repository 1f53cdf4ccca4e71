import { RequestError } from './request-error.ts'

/** The answer is larger than the client reads: refused whole. */
export class AnswerTooLargeError extends RequestError {
  static override readonly code = 'DM-ANSWER-TOO-LARGE'
  static override readonly meaning = 'The answer is larger than 32 MB. All of it is discarded.'
  static override readonly remedy = 'Check that the base URL leads to the service itself.'
}
