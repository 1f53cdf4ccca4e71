import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A gate of the manifest is closed. */
export class GateError extends DeploymgmtError {
  static override readonly code = 'DM-GATE'
  static override readonly meaning =
    'A condition that the manifest sets for changing a project is not met, or cannot be read.'
  static override readonly remedy =
    'Wait until it holds, with deploymgmt wait; or declare an exception under gates, with its reason. Where it cannot be read, give the key a role that can, or go on with --allow-closed-gates.'
}
