import { LedgerError } from './ledger-error.ts'

/** The state, journal or lock could not be written. The old state file is whole. */
export class StateWriteError extends LedgerError {
  static readonly code = 'DM-STATE-WRITE'
  static readonly meaning = 'The state file, its journal or its lock could not be written.'
  static readonly remedy =
    'Make room or correct the permissions, then run the command again: what the journal holds is replayed.'

  override readonly code = StateWriteError.code
}
