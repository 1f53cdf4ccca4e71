import { LedgerError } from './ledger-error.ts'

/** The state file on disk is not the one that was loaded, or exists where none should be. */
export class StateConflictError extends LedgerError {
  static override readonly code = 'DM-STATE-CONFLICT'
  static override readonly meaning =
    'While this command ran, something else wrote, removed or created the state file.'
  static override readonly remedy =
    'Find out what else writes the file, then run the command again. This command left the file unchanged.'
}
