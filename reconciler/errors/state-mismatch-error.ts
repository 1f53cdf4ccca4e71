import { LedgerError } from './ledger-error.ts'

/** The state belongs to another manifest or service. The message names both sides. */
export class StateMismatchError extends LedgerError {
  static override readonly code = 'DM-STATE-MISMATCH'
  static override readonly meaning =
    'The state file belongs to a manifest with another name, or to another service.'
  static override readonly remedy =
    'Name the right state file with --state, or correct the name in the manifest or the base URL.'
}
