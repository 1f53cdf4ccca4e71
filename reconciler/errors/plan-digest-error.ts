import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A saved plan does not have the digest of `--expect-sha256`. */
export class PlanDigestError extends DeploymgmtError {
  static override readonly code = 'DM-PLAN-DIGEST'
  static override readonly meaning =
    'A saved plan is not the one that was approved: its sha256 differs from `--expect-sha256`.'
  static override readonly remedy =
    'Look at the plan with deploymgmt plan FILE, which shows its sha256. Apply the plan that was approved, with its digest.'
}
