import { keyOf, type PlannedChange, type Reason, type Records } from '@deploymgmt/provider/engine'
import type { DeploymgmtError } from '@deploymgmt/provider/errors'

/**
 * How one change of an apply ended. `unknown`: a request left, and it is not known whether it took effect.
 * `unsaved`: the change is done, but the store did not take its answer.
 */
export type ChangeStatus = 'done' | 'unsaved' | 'blocked' | 'failed' | 'unknown' | 'expired' | 'skipped'

export interface ChangeResult {
  readonly planned: PlannedChange
  readonly status: ChangeStatus
  readonly notes: readonly Reason[]
  readonly error?: DeploymgmtError
  /** For `unsaved`: the id of what was created. */
  readonly id?: string
}

/** A result that the store has not taken. Where no event can be read, only the id tells what was created. */
export const asUnsaved = (result: ChangeResult, records: Records): ChangeResult => {
  const { change, work } = result.planned
  const made = work.do === 'create' ? records[change.address] : undefined
  const id = work.do === 'create' && made !== undefined ? keyOf([work.instance.definition], made) : undefined
  return { ...result, status: 'unsaved', ...(id === undefined ? {} : { id }) }
}

export const skipped = (planned: PlannedChange, why: Reason): ChangeResult => ({
  planned,
  status: 'skipped',
  notes: [why],
})

/**
 * The exit code for results: unknown takes precedence over failed, and failed over blocked. A change that strangers
 * block counts as unknown.
 */
export const exitCodeOf = (results: readonly ChangeResult[]): 0 | 1 | 2 | 3 => {
  const has = (status: ChangeStatus) => results.some((result) => result.status === status)
  // It is unknown what was created before, and where that is recorded.
  const isBeside = results.some(({ planned: { change } }) => change.reason.code === 'beside-strangers')
  if (has('unknown') || isBeside) return 3
  if (has('failed') || has('skipped') || has('unsaved')) return 1
  return has('blocked') ? 2 : 0
}
