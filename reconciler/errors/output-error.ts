import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The file of --output or --out cannot be written. */
export class OutputError extends DeploymgmtError {
  static readonly code = 'DM-OUTPUT'
  static readonly meaning = 'A file for the output cannot be written.'
  static readonly remedy = 'Check the path and its permissions.'
  readonly code = OutputError.code
}
