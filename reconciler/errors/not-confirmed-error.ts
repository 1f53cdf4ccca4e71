import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** An apply was not confirmed. */
export class NotConfirmedError extends DeploymgmtError {
  static readonly code = 'DM-NOT-CONFIRMED'
  static readonly meaning = 'Nobody confirmed the changes, so that nothing was sent.'
  static readonly remedy = 'Answer yes, or use --auto-approve where there is no terminal.'
  readonly code = NotConfirmedError.code
}
