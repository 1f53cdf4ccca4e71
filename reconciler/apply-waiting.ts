import type { Change, Ledger, PlannedChange } from '@deploymgmt/provider/engine'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { skipped, type ChangeResult } from './apply-result.ts'

/** Plans what waited at these addresses, now that what it refers to is recorded. */
export type PlanAgain = (addresses: ReadonlySet<string>) => Promise<readonly PlannedChange[]>

interface Around {
  readonly planAgain: PlanAgain
  readonly ledger: Ledger
  readonly stopped: AbortSignal
  readonly results: readonly ChangeResult[]
  readonly settle: (result: ChangeResult) => void
  readonly carryOutWave: (wave: readonly PlannedChange[]) => Promise<void>
}

/**
 * Carries out what refers to things of the same apply, in as many rounds as they refer to one another. Each round
 * is planned again with what is recorded by then, and does what was shown, with the values filled in, or nothing.
 */
export const applyWaiting = async (planned: readonly PlannedChange[], around: Around): Promise<void> => {
  const { ledger, stopped, settle } = around
  let waiting = planned
  while (waiting.length > 0 && !stopped.aborted) {
    const ready = waiting.filter(({ change }) =>
      change.waitsFor?.every((address) => ledger.records[address] !== undefined),
    )
    if (ready.length === 0) break
    await applyReady(ready, around)
    waiting = waiting.filter((each) => !ready.includes(each))
  }
  for (const each of waiting) settle(stopped.aborted ? skipped(each, 'not begun') : unmet(each, around))
}

const applyReady = async (
  ready: readonly PlannedChange[],
  { planAgain, settle, carryOutWave }: Around,
): Promise<void> => {
  let fresh: readonly PlannedChange[]
  try {
    fresh = await planAgain(new Set(ready.map(({ change }) => change.address)))
  } catch (error) {
    if (!(error instanceof DeploymgmtError)) throw error
    for (const planned of ready) settle({ planned, status: 'failed', notes: [], error })
    return
  }
  const now = ready.map((shown) => [shown, fresh.find((each) => isSame(shown.change, each.change))] as const)
  for (const [shown, filled] of now)
    if (filled === undefined)
      settle(skipped(shown, 'there is something else to do by now than what was shown; plan again'))
  await carryOutWave(now.flatMap(([, filled]) => filled ?? []))
}

/** Values that were awaited differ by their nature; what is done, to which fields, may not. */
const isSame = (shown: Change, filled: Change): boolean =>
  essence(shown) === essence(filled) && filled.waitsFor === undefined

const essence = ({ address, action, fields, requests, needs = [] }: Change): string =>
  JSON.stringify([address, action, fields.map(({ path, before }) => [path, before]), requests, needs])

const unmet = (planned: PlannedChange, { ledger, results }: Around): ChangeResult => {
  const missing = planned.change.waitsFor?.filter((address) => ledger.records[address] === undefined) ?? []
  const isBlocked = missing.every((address) =>
    results.some(({ status, planned: { change } }) => status === 'blocked' && change.address === address),
  )
  const why = `refers to ${missing.join(' and ')}, which ${missing.length === 1 ? 'was' : 'were'} not applied`
  return isBlocked ? { planned, status: 'blocked', notes: [why] } : skipped(planned, why)
}
