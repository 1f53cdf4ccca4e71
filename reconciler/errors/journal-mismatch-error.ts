import { LedgerError } from './ledger-error.ts'

/** The journal and the state file do not belong together. */
export class JournalMismatchError extends LedgerError {
  static override readonly code = 'DM-JOURNAL-MISMATCH'
  static override readonly meaning =
    'The journal and the state file do not belong together: one of the two was restored, moved or replaced.'
  static override readonly remedy =
    'Restore the state file that the journal belongs to. If the results in the journal are recorded elsewhere, move the journal away.'
}
