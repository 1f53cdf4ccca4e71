import type { PlannedChange, Reason } from '@deploymgmt/provider/engine'
import type { DeploymgmtError } from '@deploymgmt/provider/errors'

/**
 * How one change of an apply ended. `unknown`: a request left, and whether it took effect is not known. `unsaved`: it is
 * done, and the store did not take that.
 */
export type ChangeStatus = 'done' | 'unsaved' | 'blocked' | 'failed' | 'unknown' | 'expired' | 'skipped'

export interface ChangeResult {
  readonly planned: PlannedChange
  readonly status: ChangeStatus
  readonly notes: readonly Reason[]
  readonly error?: DeploymgmtError
}

export const skipped = (planned: PlannedChange, why: Reason): ChangeResult => ({
  planned,
  status: 'skipped',
  notes: [why],
})

/** The exit code that results lead to: unknown before failed before blocked, and what strangers block is unknown. */
export const exitCodeOf = (results: readonly ChangeResult[]): 0 | 1 | 2 | 3 => {
  const has = (status: ChangeStatus) => results.some((result) => result.status === status)
  // What was made before, and by whom it is kept, is unknown there.
  const isBeside = results.some(({ planned: { change } }) => change.reason.code === 'beside-strangers')
  if (has('unknown') || isBeside) return 3
  if (has('failed') || has('skipped') || has('unsaved')) return 1
  return has('blocked') ? 2 : 0
}
