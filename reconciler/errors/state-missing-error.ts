import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** Without a state, existing things would be created again. */
export class StateMissingError extends DeploymgmtError {
  static override readonly code = 'DM-STATE-MISSING'
  static override readonly meaning =
    'There is no state, but one is needed: it is to be copied, records are to go to it, or the plan creates something. A run that has lost its state would create everything again.'
  static override readonly remedy = 'Restore the state file, or let deploymgmt state init start one.'
}
