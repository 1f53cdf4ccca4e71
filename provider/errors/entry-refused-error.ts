import { DeploymgmtError } from './deploymgmt-error.ts'

/** An entry is well-formed, and planning finds that it cannot be carried out. */
export class EntryRefusedError extends DeploymgmtError {
  static override readonly code = 'DM-ENTRY-REFUSED'
  static override readonly meaning =
    'An entry is well-formed but cannot be carried out, such as a schedule with too many occurrences.'
  static override readonly remedy = 'Change the entry as the message says. Nothing in the plan was sent.'

  constructor(address: string, reason: string, where: string | undefined) {
    super(`${address}: ${reason}`, { where })
  }
}
