import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The lock to be removed is not the one that is there. */
export class LockMismatchError extends DeploymgmtError {
  static override readonly code = 'DM-LOCK-MISMATCH'
  static override readonly meaning =
    'The id that was given to deploymgmt state unlock is not that of the lock, or there is no lock.'
  static override readonly remedy =
    'Give the id that the message names, if the command that holds the lock has certainly ended. Where there is no lock, nothing has to be done.'
}
