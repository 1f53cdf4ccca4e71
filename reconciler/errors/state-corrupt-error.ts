import { LedgerError } from './ledger-error.ts'

/** The state file is invalid. `where` is its path with line and column, or with a JSON path. */
export class StateCorruptError extends LedgerError {
  static override readonly code = 'DM-STATE-CORRUPT'
  static override readonly meaning =
    'The state file is not valid: it is not JSON, repeats a key, or contains a value of the wrong shape.'
  static override readonly remedy =
    'Restore the last good copy of the file (from version control or a backup). The command changed nothing.'
}
