import { RequestError, type RequestFacts } from './request-error.ts'

/** The credentials are good, and this request is not permitted to them (403, or 401 after a success). */
export class ForbiddenError extends RequestError {
  static override readonly code = 'DM-FORBIDDEN'
  static override readonly meaning =
    'The credentials are valid, but have no permission for this request, or a proxy has refused it. Other requests continue.'
  static override readonly remedy = 'Give the key a role that permits this request, or use one that has it.'

  /** The advice if the answer is a page, which may be from a proxy. */
  static readonly byProxy =
    'Have the proxy let this request through. If there is none, give the key a role that permits it.'

  /** What the API's description asks of the key; null if it says nothing about a refused reading. */
  readonly keyNeeds: string | null | undefined

  constructor(what: string, facts: RequestFacts & { keyNeeds?: string | null }) {
    super(what, facts.keyNeeds === undefined ? facts : { ...facts, hint: adviceFor(facts.keyNeeds) })
    this.keyNeeds = facts.keyNeeds
  }
}

const adviceFor = (keyNeeds: string | null): string =>
  keyNeeds === null
    ? 'Give the key a role that permits this read. The API’s description does not say which role that is.'
    : `The key needs ${keyNeeds}.`
