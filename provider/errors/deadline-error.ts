import { RequestError, type RequestFacts } from './request-error.ts'

/** One request took longer than its deadline. */
export class DeadlineError extends RequestError {
  static override readonly code = 'DM-DEADLINE'
  static override readonly meaning =
    'Connecting, sending, waiting and reading together took longer than one request may take.'
  static override readonly remedy = 'Look at the load of the service and the network, then run again.'

  /** Of a request that was not sent, since what is written down before it came too late. */
  static writtenTooLate(at: Pick<RequestFacts, 'method' | 'url' | 'path'>): DeadlineError {
    return new DeadlineError('the request was not sent, since it took too long to write it down', {
      ...at,
      outcome: 'not-sent',
      hint: 'Look at where the state is kept, and at the network to it; then run again.',
    })
  }
}
