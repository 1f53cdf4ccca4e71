import { LedgerError } from './ledger-error.ts'

/** The journal is damaged in its middle. `where` is its path and the byte at which the damage begins. */
export class JournalCorruptError extends LedgerError {
  static override readonly code = 'DM-JOURNAL-CORRUPT'
  static override readonly meaning =
    'The journal beside the state file is damaged before its last record, so results of writes may be missing.'
  static override readonly remedy =
    'Restore the last good copy of the journal. If there is none, compare what the journal still shows with the service, then move the journal away.'
}
