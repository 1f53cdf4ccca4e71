import { LedgerError } from './ledger-error.ts'

/** The state, journal or lock could not be written. The old state file is intact. */
export class StateWriteError extends LedgerError {
  static override readonly code = 'DM-STATE-WRITE'
  static override readonly meaning = 'The state file, its journal or its lock could not be written.'
  static override readonly remedy =
    'Free disk space or correct the permissions, then run the command again. If there is a journal, the command continues from it.'
}
