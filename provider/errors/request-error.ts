import { DeploymgmtError } from './deploymgmt-error.ts'

/**
 * What is known about the effect of a request that failed.
 *
 * - `not-sent`: nothing that could be processed left this machine;
 * - `refused`: the service answered that it did not do it;
 * - `unknown`: it may have been done. For a write this must be resolved before it is sent again.
 */
export type Outcome = 'not-sent' | 'refused' | 'unknown'

/** What every failed request has in common. Texts from the service are made printable by the caller. */
export interface RequestFacts {
  readonly method: string
  /** The whole address, for the message. */
  readonly url: string
  /** Relative to the base URL, with its query. */
  readonly path: string
  /** HTTP status; absent when no status line arrived. */
  readonly status?: number | undefined
  readonly outcome: Outcome
  /** `errorCode` of the service's error body. */
  readonly serviceErrorCode?: string | undefined
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** Replaces the class's own advice. */
  readonly hint?: string
  readonly cause?: unknown
}

/** A request to the service that did not succeed. Holds no header, no body and no credentials. */
export abstract class RequestError extends DeploymgmtError {
  readonly method: string
  readonly path: string
  readonly status: number | undefined
  readonly outcome: Outcome
  readonly serviceErrorCode: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(what: string, facts: RequestFacts) {
    super(what, {
      where: `${facts.method} ${facts.url} → ${place(facts)}`,
      hint: withOutcome(facts, facts.hint ?? new.target.remedy),
      cause: facts.cause,
    })
    this.method = facts.method
    this.path = facts.path
    this.status = facts.status
    this.outcome = facts.outcome
    this.serviceErrorCode = facts.serviceErrorCode
    this.retryAfterMs = facts.retryAfterMs
  }
}

const place = (facts: RequestFacts): string => {
  if (facts.status !== undefined) return String(facts.status)
  return facts.outcome === 'not-sent' ? 'not sent' : 'no answer'
}

// A reader of the message alone must see that a write may have happened.
const withOutcome = (facts: RequestFacts, hint: string): string => {
  if (facts.method === 'GET' || facts.outcome !== 'unknown') return hint
  return `${hint} Whether the service carried it out is unknown.`
}
