import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The command line is not understood. */
export class UsageError extends DeploymgmtError {
  static readonly code = 'DM-USAGE'
  static readonly meaning = 'The command line is not understood.'
  static readonly remedy = 'deploymgmt help COMMAND shows what there is.'
  readonly code = UsageError.code
}
