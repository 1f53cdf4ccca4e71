import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The command line is not understood. */
export class UsageError extends DeploymgmtError {
  static readonly code = 'DM-USAGE'
  static readonly meaning = 'The command line is not understood.'
  static readonly remedy = 'deploymgmt help lists the commands; deploymgmt help COMMAND shows one of them.'
  readonly code = UsageError.code
}
