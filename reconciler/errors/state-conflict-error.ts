import { LedgerError } from './ledger-error.ts'

/** The state file on disk is not the one that was loaded, or exists where none should be. */
export class StateConflictError extends LedgerError {
  static override readonly code = 'DM-STATE-CONFLICT'
  static override readonly meaning =
    'The state file is not the one that this command read: something else wrote, removed or created it meanwhile.'
  static override readonly remedy =
    'Find out what else writes the file, then run the command again. The file was left as it was found.'
}
