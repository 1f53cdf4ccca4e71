import { RequestError, type RequestFacts } from './request-error.ts'

/** The service found the request wrong (a 4xx without a class of its own), or its path cannot be sent. */
export class InvalidRequestError extends RequestError {
  static override readonly code = 'DM-INVALID-REQUEST'
  static override readonly meaning = 'The service rejected the request as invalid and did not carry it out.'
  static override readonly remedy = 'Correct the value that the service names.'

  /** What the service says about it, printable and shortened. */
  readonly detail: string | undefined
  /** The `parameters` of the service's error, printable and shortened. */
  readonly parameters: readonly string[]

  constructor(
    what: string,
    facts: RequestFacts & { detail?: string | undefined; parameters?: readonly string[] },
  ) {
    super(what, facts)
    this.detail = facts.detail
    this.parameters = facts.parameters ?? []
  }
}
