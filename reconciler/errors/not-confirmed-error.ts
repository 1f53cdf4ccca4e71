import { DeploymgmtError, INTERRUPTED } from '@deploymgmt/provider/errors'

type Details = ConstructorParameters<typeof DeploymgmtError>[1] & { readonly interrupted?: boolean }

/** An apply was not confirmed, or a command was interrupted while it waited. */
export class NotConfirmedError extends DeploymgmtError {
  static override readonly code = 'DM-NOT-CONFIRMED'
  static override readonly meaning = 'Nobody confirmed the changes, so nothing was sent.'
  static override readonly remedy = 'Answer yes, or use --auto-approve where there is no terminal.'

  override readonly exitCode: number

  constructor(what: string, { interrupted = false, ...details }: Details = {}) {
    super(what, interrupted ? { hint: 'Run the command again.', ...details } : details)
    this.exitCode = interrupted ? INTERRUPTED : 1
  }
}
