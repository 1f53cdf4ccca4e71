import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A saved plan cannot be read or written. */
export class PlanFileError extends DeploymgmtError {
  static override readonly code = 'DM-PLAN-FILE'
  static override readonly meaning =
    'A file is not a saved plan, was saved by another version, or was edited after it was saved.'
  static override readonly remedy = 'Let deploymgmt plan --out FILE save the plan again.'
}
