import { LedgerError } from './ledger-error.ts'

/** The state file or its journal has a later format version. `where` is its path. */
export class StateVersionError extends LedgerError {
  static override readonly code = 'DM-STATE-VERSION'
  static override readonly meaning =
    'The state file or its journal was written by a later version of deploymgmt, in a format that this version does not support.'
  static override readonly remedy =
    'Run the version of deploymgmt that wrote the file, or a later one. The file was not changed.'
}
