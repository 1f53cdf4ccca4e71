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
  mostWrites: 5,
  // Waiting for a minute repairs neither a wrong address nor a page that is not the API's.
  mostHopeless: 3,
  /** One request, from connecting to the end of its answer. */
  deadlineMs: 30_000,
  /** All attempts and waits of one call together. */
  totalMs: 60_000,
} as const
const { firstDelayMs, longestDelayMs, longestRetryAfterMs, mostReads, mostWrites, mostHopeless } = retryLimits

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
   * How long to wait before a read is repeated, in milliseconds; `undefined` if it is not.
   * @param reached whether the service has ever answered this client
   */
  ofRead(error: unknown, reached: boolean): number | undefined {
    const passing =
      error instanceof UnreachableError ||
      error instanceof DeadlineError ||
      error instanceof ServiceFailureError ||
      error instanceof RateLimitedError ||
      error instanceof MalformedAnswerError
    if (!passing) return undefined
    const hopeless = error instanceof MalformedAnswerError || (error instanceof UnreachableError && !reached)
    return this.#delay(error.retryAfterMs, hopeless ? mostHopeless : mostReads)
  }

  /**
   * The same for a write, which is repeated only after a 429. A POST also needs a `Retry-After`, which is known to
   * come before processing; PATCH bodies are absolute, and a second DELETE finds nothing.
   */
  ofWrite(error: unknown, method: string): number | undefined {
    if (!(error instanceof RateLimitedError)) return undefined
    if (method === 'POST' && error.retryAfterMs === undefined) return undefined
    return this.#delay(error.retryAfterMs, mostWrites)
  }

  #delay(retryAfterMs: number | undefined, mostAttempts: number): number | undefined {
    const { random, now, totalMs, until = Number.POSITIVE_INFINITY } = this.#options
    this.#spent += now() - this.#began
    if (this.#attempts >= mostAttempts) return undefined
    const jittered = random() * Math.min(longestDelayMs, firstDelayMs * 2 ** (this.#attempts - 1))
    const wait = Math.max(jittered, Math.min(retryAfterMs ?? 0, longestRetryAfterMs))
    if (this.#spent + wait > totalMs || now() + wait > until) return undefined
    this.#spent += wait
    return wait
  }
}

/** A `Retry-After` header (seconds, for some services with a fraction, or a date) in milliseconds from `serviceNow`; never negative. */
export const retryAfter = (header: string | undefined, serviceNow: number): number | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  const ms = /^\d+(?:\.\d+)?$/v.test(text) ? Number(text) * 1000 : Date.parse(text) - serviceNow
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
