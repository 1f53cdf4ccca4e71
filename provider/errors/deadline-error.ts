import { RequestError } from './request-error.ts'

/** One request took longer than its deadline. */
export class DeadlineError extends RequestError {
  static override readonly code = 'DM-DEADLINE'
  static override readonly meaning =
    'Connecting, sending, waiting and reading together took longer than one request may take.'
  static override readonly remedy = 'Look at the load of the service and the network, then run again.'
}
