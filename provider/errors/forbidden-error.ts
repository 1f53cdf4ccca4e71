import { RequestError, type RequestFacts } from './request-error.ts'

interface ForbiddenFacts extends RequestFacts {
  readonly mayBeOfProxy?: boolean
  readonly keyNeeds?: string | null
}

/** The credentials are good, and this request is not permitted to them (403, or 401 after a success). */
export class ForbiddenError extends RequestError {
  static override readonly code = 'DM-FORBIDDEN'
  static override readonly meaning =
    'The credentials are valid, but have no permission for this request, or a proxy has refused it. Other requests continue.'
  static override readonly remedy = 'Give the key a role that permits this request, or use one that has it.'

  /** Whether the answer is not the service's JSON, so that a proxy may have given it. */
  readonly mayBeOfProxy: boolean

  /** What the API's description asks of the key; null if it says nothing about a refused reading. */
  readonly keyNeeds: string | null | undefined

  constructor(what: string, facts: ForbiddenFacts) {
    const hint = adviceFor(facts)
    super(what, hint === undefined ? facts : { ...facts, hint })
    this.keyNeeds = facts.keyNeeds
    this.mayBeOfProxy = facts.mayBeOfProxy === true
  }
}

const adviceFor = ({ mayBeOfProxy, keyNeeds, serviceErrorCode = '' }: ForbiddenFacts): string | undefined => {
  if (mayBeOfProxy === true)
    return 'Have the proxy let this request through. If there is none, give the key a role that permits it.'
  // Against these, no role helps: whoever gave the key one would only have made it more powerful.
  if (serviceErrorCode.includes('NOT_ON_ACCESS_LIST'))
    return 'Add this address to the access list of the key, or send the request from one that is on it.'
  if (serviceErrorCode.includes('DEMOTE_LAST')) return 'Make another user or key an owner first.'
  return keyNeeds === undefined ? undefined : needOf(keyNeeds)
}

const needOf = (keyNeeds: string | null): string =>
  keyNeeds === null
    ? 'Give the key a role that permits this read. The API’s description does not say which role that is.'
    : `The key needs ${keyNeeds}.`
