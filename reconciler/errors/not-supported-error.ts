import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** Something that the command line accepts and this version does not do yet. */
export class NotSupportedError extends DeploymgmtError {
  static override readonly code = 'DM-NOT-SUPPORTED'
  static override readonly meaning = 'This version does not do that yet.'
  static override readonly remedy = 'Use what the message names instead.'
}
