import { DeploymgmtError } from '@deploymgmt/provider/errors'

/**
 * The embedded service could not be started: its fixture, a setting, its data file or its address is at fault.
 * The code is the service's own, which `scripts/docs/service-errors.ts` documents.
 */
export class ServeError extends DeploymgmtError {
  readonly code: string

  constructor({ code, message }: { code: string; message: string }, where?: string) {
    super(message, { hint: 'Correct what the message names.', ...(where === undefined ? {} : { where }) })
    this.code = code
  }
}
