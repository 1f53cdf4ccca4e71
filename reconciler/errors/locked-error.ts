import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The state is locked. The message names the owner, the hint the command that removes the lock. */
export class LockedError extends DeploymgmtError {
  static override readonly code = 'DM-STATE-LOCKED'
  static override readonly meaning =
    'Another command holds the lock on the state, or it is not clear who holds it.'
  static override readonly remedy =
    'Wait until the other command has ended. If it certainly has, run deploymgmt state unlock with the id that the message names.'
}
