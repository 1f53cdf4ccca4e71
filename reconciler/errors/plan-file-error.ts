import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A saved plan cannot be read or written. */
export class PlanFileError extends DeploymgmtError {
  static override readonly code = 'DM-PLAN-FILE'
  static override readonly meaning =
    'A file is not a saved plan, is not of this version, or was edited since it was made.'
  static override readonly remedy = 'Make it again with deploymgmt plan --out FILE.'
}
