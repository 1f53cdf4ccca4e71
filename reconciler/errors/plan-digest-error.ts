import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A saved plan is another one than `--expect-sha256` names. */
export class PlanDigestError extends DeploymgmtError {
  static override readonly code = 'DM-PLAN-DIGEST'
  static override readonly meaning =
    'The bytes of a saved plan are not those that were approved: its sha256 is another one than `--expect-sha256` gives.'
  static override readonly remedy =
    'Look at the plan with deploymgmt plan FILE, which shows its sha256; apply it with the digest of what was approved.'
}
