import { answerFaultText, type AnswerFault } from './answer-fault.ts'
import { RequestError, type RequestFacts } from './request-error.ts'

/** The answer was cut, was not JSON, or had another shape than documented: refused whole. */
export class MalformedAnswerError extends RequestError {
  static override readonly code = 'DM-MALFORMED-ANSWER'
  static override readonly meaning =
    'The answer was truncated, was not JSON, repeated a key, did not have the documented shape, or was a 404 of a proxy rather than of the service. All of it is discarded.'
  static override readonly remedy =
    'Check that the base URL leads to the service itself. If it does, a proxy in between may be truncating answers.'

  constructor(what: string | readonly AnswerFault[], facts: RequestFacts) {
    super(typeof what === 'string' ? what : answerFaultText(what), facts)
  }

  /** Something in between has refused the request: says nothing about whether a thing exists. */
  get isRefusal(): boolean {
    return this.status === 404
  }
}
