import { LedgerError } from './ledger-error.ts'

/** The state, journal or lock could not be read. `where` is its path. */
export class StateReadError extends LedgerError {
  static override readonly code = 'DM-STATE-READ'
  static override readonly meaning = 'The state file, its journal or its lock exists but could not be read.'
  static override readonly remedy =
    'Correct the permissions, or the path given with --state, then run the command again.'
}
