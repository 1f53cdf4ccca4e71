import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The embedded service could not be started. */
export class ServeError extends DeploymgmtError {
  static readonly code = 'DM-SERVE'
  static readonly meaning =
    'The embedded service could not be started: its fixture, a setting, its data file or its address is at fault. The message begins with a code of its own.'
  static readonly remedy = 'Correct what the message names.'
  readonly code = ServeError.code
}
