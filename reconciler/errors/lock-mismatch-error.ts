import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The lock to remove is not the present one. */
export class LockMismatchError extends DeploymgmtError {
  static override readonly code = 'DM-LOCK-MISMATCH'
  static override readonly meaning =
    'The id given to deploymgmt state unlock is not the id of the lock, or there is no lock.'
  static override readonly remedy =
    'If the command that holds the lock has certainly ended, give the id that the message names. If there is no lock, there is nothing to do.'
}
