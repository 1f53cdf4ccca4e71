import { MalformedAnswerError } from '../errors/malformed-answer-error.ts'
import { DeadlineError } from '../errors/deadline-error.ts'
import { RateLimitedError } from '../errors/rate-limited-error.ts'
import { ServiceFailureError } from '../errors/service-failure-error.ts'
import { UnreachableError } from '../errors/unreachable-error.ts'

/** How often, and after which waits, a call is sent again; also described in docs/failure-model.md. */
export const retryLimits = {
  /** A delay is a random part of this; the next one may be twice as long. */
  firstDelayMs: 500,
  longestDelayMs: 10_000,
  longestRetryAfterMs: 30_000,
  mostReads: 10,
  /** Of reads and writes that are refused because there are too many: their waits reach beyond a minute. */
  mostLimited: 20,
  // Waiting for a minute repairs neither a wrong address nor a page that is not the API's.
  mostHopeless: 3,
  /** One request, from connecting to the end of its answer. */
  deadlineMs: 30_000,
  /** All attempts and waits of one call together, other than those that all calls wait for. */
  totalMs: 60_000,
  /** How many times that a service may refuse all requests as too many. */
  limitedTotals: 3,
} as const
const {
  firstDelayMs,
  longestDelayMs,
  longestRetryAfterMs,
  mostReads,
  mostLimited,
  mostHopeless,
  limitedTotals,
} = retryLimits

interface RetryOptions {
  readonly totalMs: number
  /** By the same clock as `now`. */
  readonly until?: number | undefined
  readonly random: () => number
  readonly now: () => number
}

/** Decides for one call whether and when to send it again. */
export class Retry {
  readonly #options: RetryOptions
  #attempts = 0
  #began = 0
  // Time of attempts and delays, without queueing; added up, because an injected clock may stand still.
  #spent = 0

  constructor(options: RetryOptions) {
    this.#options = options
  }

  /** Marks the start of an attempt; returns its number, starting at one. */
  begin(): number {
    this.#began = this.#options.now()
    return ++this.#attempts
  }

  /**
   * How long to wait before a read, or a write that was not sent, is tried again, in milliseconds; `undefined` if it is
   * not.
   *
   * @param reached whether the service has ever answered this client
   * @param refusedMs how long it has taken no request
   */
  ofFailed(
    error: unknown,
    { reached, refusedMs }: { readonly reached: boolean; readonly refusedMs: number },
  ): number | undefined {
    const passing =
      error instanceof UnreachableError ||
      error instanceof DeadlineError ||
      error instanceof ServiceFailureError ||
      error instanceof MalformedAnswerError
    if (!passing) return undefined
    const hopeless = error instanceof MalformedAnswerError || (error instanceof UnreachableError && !reached)
    const wait = this.#delay(error.retryAfterMs, hopeless ? mostHopeless : mostReads)
    return wait !== undefined && refusedMs + wait > this.#options.totalMs ? undefined : wait
  }

  /**
   * The same for what was refused because there are too many requests (429), which is the only write that is repeated after it was sent.
   * A POST also needs a `Retry-After`, which is known to come before processing; PATCH bodies are absolute, and a
   * second DELETE finds nothing.
   *
   * @param refusedMs how long the service has taken no request
   */
  ofLimited({ retryAfterMs }: RateLimitedError, method: string, refusedMs: number): number | undefined {
    if (method === 'POST' && retryAfterMs === undefined) return undefined
    if (this.#attempts >= mostLimited) return undefined
    const { totalMs } = this.#options
    const wait = Math.max(this.#jittered(), retryAfterMs ?? 0)
    return refusedMs + wait > totalMs * limitedTotals || this.#isLate(wait) ? undefined : wait
  }

  #delay(retryAfterMs: number | undefined, mostAttempts: number): number | undefined {
    const { now, totalMs } = this.#options
    this.#spent += now() - this.#began
    if (this.#attempts >= mostAttempts) return undefined
    const wait = Math.max(this.#jittered(), Math.min(retryAfterMs ?? 0, longestRetryAfterMs))
    if (this.#spent + wait > totalMs || this.#isLate(wait)) return undefined
    this.#spent += wait
    return wait
  }

  #jittered(): number {
    return this.#options.random() * Math.min(longestDelayMs, firstDelayMs * 2 ** (this.#attempts - 1))
  }

  #isLate(wait: number): boolean {
    const { now, until = Number.POSITIVE_INFINITY } = this.#options
    return now() + wait > until
  }
}

/** A `Retry-After` header (seconds, for some services with a fraction, or a date) in milliseconds from `serviceNow`; never negative. */
export const retryAfter = (header: string | undefined, serviceNow: number): number | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  const ms = /^\d+(?:\.\d+)?$/v.test(text) ? Number(text) * 1000 : Date.parse(text) - serviceNow
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
