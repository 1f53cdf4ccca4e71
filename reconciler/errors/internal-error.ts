import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { inSources } from './in-sources.ts'

/** A defect of the program itself: whatever no other class describes. */
export class InternalError extends DeploymgmtError {
  static override readonly code = 'DM-INTERNAL'
  static override readonly meaning = 'A defect of deploymgmt itself, and not of the input.'
  static override readonly remedy =
    'Report it with the lines that follow the message. What was sent until then is in the state and its journal.'

  constructor(cause: unknown) {
    const { stack = String(cause) } = cause as Error
    super('this is a defect of deploymgmt itself, and not of your input', { where: inSources(stack), cause })
  }
}
