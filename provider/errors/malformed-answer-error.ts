import { answerFaultText, type AnswerFault } from './answer-fault.ts'
import { RequestError, type RequestFacts } from './request-error.ts'

/** The answer was cut, was not JSON, or had another shape than documented: refused whole. */
export class MalformedAnswerError extends RequestError {
  static override readonly code = 'DM-MALFORMED-ANSWER'
  static override readonly meaning =
    'The answer was cut, was not JSON, named a key twice, or had another shape than documented. It is refused whole.'
  static override readonly remedy =
    'Check that the base URL leads to the service itself; if it does, a proxy between may cut answers.'

  constructor(what: string | readonly AnswerFault[], facts: RequestFacts) {
    super(typeof what === 'string' ? what : answerFaultText(what), facts)
  }
}
