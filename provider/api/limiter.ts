interface Waiting {
  readonly start: () => void
  readonly cancel: () => void
}

/** Frees a slot among the requests in flight; only its first call counts. */
export type Release = (result: 'done' | 'failed' | 'limited') => void

/**
 * Limits how many requests run at once, first come, first served. A 429 or a 503 halves the limit for all, and each
 * round of successful answers raises it by one. While the service wants no requests, nothing enters: a service that
 * limits requests in each minute would refuse them all, one by one.
 */
export class Limiter {
  readonly #most: number
  #allowed: number
  #running = 0
  #round = 0
  #good = 0
  #holds = 0
  readonly #queue = new Set<Waiting>()
  /** Refused ones, which are the first to be sent when the service wants requests again. */
  readonly #again = new Set<Waiting>()
  readonly #idle: (() => void)[] = []

  constructor(most: number) {
    this.#most = Math.max(1, Math.floor(most))
    this.#allowed = this.#most
  }

  /** How many may run at once now. */
  get allowed(): number {
    return this.#allowed
  }

  /**
   * Waits for a slot. Rejects if the signal aborts first; then there is nothing to release.
   *
   * @param isAgain whether it was refused before, so that it goes before all that were not
   */
  async enter(signal: AbortSignal, isAgain = false): Promise<Release> {
    signal.throwIfAborted()
    const isFree = this.#holds === 0 && this.#running < this.#allowed
    if (isFree && this.#again.size + this.#queue.size === 0) this.#running++
    else await this.#wait(isAgain ? this.#again : this.#queue, signal)
    const round = this.#round
    let released = false
    return (result) => {
      if (released) return
      released = true
      this.#running--
      this.#adapt(result, round)
      this.#next()
    }
  }

  /** Lets nothing in until this is settled. */
  hold(over: Promise<unknown>): void {
    this.#holds++
    const end = (): void => {
      this.#holds--
      this.#next()
    }
    over.then(end, end)
  }

  /** Resolves once nothing runs. */
  async idle(): Promise<void> {
    if (this.#running === 0) return
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve)
    })
  }

  async #wait(queue: Set<Waiting>, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        start: () => {
          signal.removeEventListener('abort', waiting.cancel)
          resolve()
        },
        cancel: () => {
          queue.delete(waiting)
          reject(new Error('no longer wanted', { cause: signal.reason }))
        },
      }
      queue.add(waiting)
      signal.addEventListener('abort', waiting.cancel, { once: true })
    })
  }

  #adapt(result: 'done' | 'failed' | 'limited', round: number): void {
    if (result === 'limited') {
      // Requests that were in flight together are refused together: they count as one refusal.
      if (round !== this.#round) return
      this.#round++
      this.#good = 0
      this.#allowed = Math.max(1, Math.floor(this.#allowed / 2))
    } else if (result === 'done' && this.#allowed < this.#most && ++this.#good >= this.#allowed) {
      this.#good = 0
      this.#allowed++
    }
  }

  #next(): void {
    for (const queue of [this.#again, this.#queue])
      for (const waiting of queue) {
        if (this.#holds > 0 || this.#running >= this.#allowed) break
        queue.delete(waiting)
        this.#running++
        waiting.start()
      }
    if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }
}
