import { RequestError, type RequestFacts } from './request-error.ts'

/** The thing, or its parent, does not exist at the service. */
export class NotFoundError extends RequestError {
  static override readonly code = 'DM-NOT-FOUND'
  static override readonly meaning =
    'The service does not find it: the id is wrong, it was removed, or the key cannot see it.'
  static override readonly remedy = 'Check the ids in the address above.'

  /** What the service names as not there: the `parameters` of its error, printable and shortened. */
  readonly parameters: readonly string[]

  constructor(what: string, facts: RequestFacts & { parameters?: readonly string[] }) {
    super(what, facts)
    this.parameters = facts.parameters ?? []
  }
}
