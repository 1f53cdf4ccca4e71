import { DeploymgmtError } from '@deploymgmt/provider/errors'

/**
 * The embedded service could not be started because of its fixture, a setting, its data file or its address. If the
 * service itself refuses, the code is its own, documented in `scripts/docs/service-errors.ts`.
 */
export class ServeError extends DeploymgmtError {
  static override readonly code = 'DM-SERVE'
  static override readonly meaning =
    'The embedded service of a rehearsal could not be started, because of its folder or its fixture.'
  static override readonly remedy = 'Correct what the message names.'

  override readonly code: string

  constructor({ code, message }: { readonly code: string; readonly message: string }, where?: string) {
    super(message, { where })
    this.code = code
  }
}
