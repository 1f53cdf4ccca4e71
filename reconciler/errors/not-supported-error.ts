import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** Something that the command line knows and this version does not do yet. */
export class NotSupportedError extends DeploymgmtError {
  static readonly code = 'DM-NOT-SUPPORTED'
  static readonly meaning = 'This version does not do that yet.'
  static readonly remedy = 'Use what the message names instead.'
  readonly code = NotSupportedError.code
}
