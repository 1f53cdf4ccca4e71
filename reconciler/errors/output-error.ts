import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The file of --output or --out, or stdout, cannot be written. */
export class OutputError extends DeploymgmtError {
  static readonly code = 'DM-OUTPUT'
  static readonly meaning = 'The output, or the file it goes to, cannot be written.'
  static readonly remedy = 'Check the path and its permissions, and that there is room.'
  readonly code = OutputError.code
}
