import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A plan is older than what it was made from. */
export class PlanStaleError extends DeploymgmtError {
  static readonly code = 'DM-PLAN-STALE'
  static readonly meaning =
    'The state, the manifests or what the service tells, by reads or by events, has changed since the plan was made.'
  static readonly remedy = 'Plan again, look at it, and apply that.'
  readonly code = PlanStaleError.code
}
