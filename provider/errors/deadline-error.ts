import { RequestError, type RequestFacts } from './request-error.ts'

/** One request took longer than its deadline, or than the service or a proxy in front of it allows (408). */
export class DeadlineError extends RequestError {
  static override readonly code = 'DM-DEADLINE'
  static override readonly meaning =
    'Connecting, sending, waiting and reading took longer than the time limit of one request.'
  static override readonly remedy =
    'Check the load on the service and the network, then run the command again.'

  #hasWaited = false

  /** Whether it has only waited for too long, so that it can be written down and sent anew. */
  get hasWaited(): boolean {
    return this.#hasWaited
  }

  /** Of a request that had to be sent by a given time, and was kept waiting. */
  static waitedTooLong(facts: RequestFacts): DeadlineError {
    const error = new DeadlineError('the request was not sent, because it had waited too long', facts)
    error.#hasWaited = true
    return error
  }

  /** Of a request that was not sent, since what is written down before it came too late. */
  static writtenTooLate(at: Pick<RequestFacts, 'method' | 'url' | 'path'>): DeadlineError {
    return new DeadlineError('the request was not sent, because recording it first took too long', {
      ...at,
      outcome: 'not-sent',
      hint: 'Check the store that keeps the state, and the network to it, then run the command again.',
    })
  }
}
