import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The command line is not understood. */
export class UsageError extends DeploymgmtError {
  static override readonly code = 'DM-USAGE'
  static override readonly meaning = 'The command line is not valid.'
  static override readonly remedy =
    'deploymgmt help lists the commands; deploymgmt help COMMAND explains one of them.'
}
