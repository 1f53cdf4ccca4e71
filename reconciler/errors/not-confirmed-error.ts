import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** An apply was not confirmed. */
export class NotConfirmedError extends DeploymgmtError {
  static override readonly code = 'DM-NOT-CONFIRMED'
  static override readonly meaning = 'Nobody confirmed the changes, so nothing was sent.'
  static override readonly remedy = 'Answer yes, or use --auto-approve where there is no terminal.'
}
