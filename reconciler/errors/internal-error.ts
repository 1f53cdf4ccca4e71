import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { inSources } from './in-sources.ts'

/** A defect of the program: any error that no other class describes. */
export class InternalError extends DeploymgmtError {
  static override readonly code = 'DM-INTERNAL'
  static override readonly meaning = 'A bug in deploymgmt itself; the input is not at fault.'
  static override readonly remedy =
    'Report it with the lines that follow the message. Everything sent before it happened is in the state and its journal.'

  constructor(cause: unknown) {
    const { stack = String(cause) } = cause as Error
    super('this is a bug in deploymgmt itself; your input is not at fault', {
      where: inSources(stack),
      cause,
    })
  }
}

/** An error as one of ours: any other is a defect. */
export const asOurs = (error: unknown): DeploymgmtError =>
  error instanceof DeploymgmtError ? error : new InternalError(error)
