import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A gate of the manifest is closed. */
export class GateError extends DeploymgmtError {
  static override readonly code = 'DM-GATE'
  static override readonly meaning =
    'What the manifest asks of a project before anything of it is changed does not hold.'
  static override readonly remedy =
    'Wait until it holds, with deploymgmt wait; or declare an exception under gates, with its reason.'
}
