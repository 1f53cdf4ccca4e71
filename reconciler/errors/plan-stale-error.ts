import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A plan is older than what it was made from. */
export class PlanStaleError extends DeploymgmtError {
  static override readonly code = 'DM-PLAN-STALE'
  static override readonly meaning =
    'The state, the manifests or what the service tells, by reads or by events, has changed since the plan was made; or the plan file was edited.'
  static override readonly remedy = 'Plan again, look at it, and apply that.'
}
