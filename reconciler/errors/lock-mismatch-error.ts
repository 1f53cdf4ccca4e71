import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The lock to be removed is not the one that is there. */
export class LockMismatchError extends DeploymgmtError {
  static readonly code = 'DM-LOCK-MISMATCH'
  static readonly meaning =
    'The id that was given to deploymgmt state unlock is not that of the lock, or there is no lock.'
  static readonly remedy =
    'Look at the message of the command that met the lock, and give the id that it names.'

  override readonly code = LockMismatchError.code
}
