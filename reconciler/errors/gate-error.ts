import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A gate of the manifest is closed. */
export class GateError extends DeploymgmtError {
  static override readonly code = 'DM-GATE'
  static override readonly meaning =
    'A condition that the manifest sets for changes to a project is not met, or cannot be read.'
  static override readonly remedy =
    'Wait until the condition is met, with deploymgmt wait, or declare an exception under gates, with its reason. If the condition cannot be read, give the key a role that can read it, or continue with --allow-closed-gates.'
}
