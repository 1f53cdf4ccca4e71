import { LedgerError } from './ledger-error.ts'

/** The state was copied elsewhere, and its marker was found. The message names the new place. */
export class StateMovedError extends LedgerError {
  static override readonly code = 'DM-STATE-MOVED'
  static override readonly meaning =
    'A deploymgmt state copy has moved the state to another place. The marker that it left behind says where the state is now.'
  static override readonly remedy =
    'Name the new place under `state` in the manifest, or with --state. If the manifest in the repository already names it, update your checkout.'
}
