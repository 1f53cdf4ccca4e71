import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The inputs of a plan have changed since. */
export class PlanStaleError extends DeploymgmtError {
  static override readonly code = 'DM-PLAN-STALE'
  static override readonly meaning =
    'Since the plan was made, the state, the manifests, or what reads and events show has changed, or the plan file was edited.'
  static override readonly remedy = 'Plan again, review the new plan, and apply that.'
}
