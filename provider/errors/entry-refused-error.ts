import { DeploymgmtError } from './deploymgmt-error.ts'

/** An entry is well-formed, and planning finds that it cannot be carried out. */
export class EntryRefusedError extends DeploymgmtError {
  static readonly code = 'DM-ENTRY-REFUSED'
  static readonly meaning =
    'An entry is well-formed and yet cannot be carried out, such as a schedule with too many occurrences.'
  static readonly remedy = 'Change the entry as the message says; nothing of the plan was sent.'
  readonly code = EntryRefusedError.code

  constructor(address: string, reason: string, where: string | undefined) {
    super(`${address}: ${reason}`, {
      hint: EntryRefusedError.remedy,
      ...(where === undefined ? {} : { where }),
    })
  }
}
