import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A `--var` that is not NAME=VALUE, names no declared variable, or has a value of the wrong type. */
export class VariableError extends DeploymgmtError {
  static override readonly code = 'DM-VARIABLE'
  static override readonly meaning =
    'A --var is not of the form NAME=VALUE, names a variable that no manifest declares, or has a value of a different type than the default.'
  static override readonly remedy = 'Use --var NAME=VALUE with a name from the manifest’s variables.'
}
