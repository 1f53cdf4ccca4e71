import { isDeepStrictEqual } from 'node:util'
import { reason, type Change, type PlannedChange } from '@deploymgmt/provider/engine'
import { skipped, type ChangeResult } from './result.ts'

/** Plans the waiting changes at these addresses, now that the things they refer to are recorded. */
export type PlanAgain = (addresses: ReadonlySet<string>) => Promise<readonly PlannedChange[]>

interface Context {
  readonly planAgain: PlanAgain
  readonly stopped: AbortSignal
  /** How a change ended that failed with this error; one that is not about a single change also stops the run. */
  readonly failed: (planned: PlannedChange, error: unknown) => ChangeResult
  /** The results so far, in the order in which the changes ended. */
  readonly results: readonly ChangeResult[]
  readonly settle: (result: ChangeResult) => void
  readonly carryOutWave: (wave: readonly PlannedChange[]) => Promise<void>
}

/**
 * Carries out changes that refer to things of the same apply, in as many rounds as references need. Each round is
 * planned again from the current records, and does what was shown, with the values filled in, or nothing.
 */
export const applyWaiting = async (planned: readonly PlannedChange[], context: Context): Promise<void> => {
  let waiting = planned
  while (waiting.length > 0 && !context.stopped.aborted) {
    const ended = endedIn(context.results)
    const {
      ready = [],
      unmet = [],
      later = [],
    } = Object.groupBy(waiting, ({ change }) => stageOf(change, ended))
    // Plans have no cycles, so every round ends something; this guards against an endless loop.
    if (ready.length + unmet.length === 0) break
    for (const each of unmet) context.settle(unmetResult(each, ended))
    if (ready.length > 0) await applyReady(ready, context)
    waiting = later
  }
  for (const each of waiting) context.settle(skipped(each, reason('not-begun')))
}

type Ended = ReadonlyMap<string, ChangeResult['status']>

/** How each address ended; if there were several changes, by the one that was sent. */
const endedIn = (results: readonly ChangeResult[]): Ended =>
  new Map(
    results
      .toSorted((a, b) => Number(isSent(a)) - Number(isSent(b)))
      .map(({ planned: { change }, status }) => [change.address, status]),
  )
const isSent = ({ planned: { work } }: ChangeResult): boolean => work.do !== 'keep' && work.do !== 'move'

const stageOf = ({ waitsFor = [] }: Change, ended: Ended): 'ready' | 'unmet' | 'later' => {
  if (waitsFor.some((address) => ended.has(address) && ended.get(address) !== 'done')) return 'unmet'
  return waitsFor.every((address) => ended.get(address) === 'done') ? 'ready' : 'later'
}

/** A change is blocked if what it waits for is blocked or over, and not started if that has failed. */
const unmetResult = (planned: PlannedChange, ended: Ended): ChangeResult => {
  const missing = (planned.change.waitsFor ?? []).filter((address) => ended.get(address) !== 'done')
  const why = reason('refers-to-not-applied', { addresses: missing })
  const isBlocked = missing.every((address) => ['blocked', 'expired'].includes(ended.get(address) ?? ''))
  return isBlocked ? { planned, status: 'blocked', notes: [why] } : skipped(planned, why)
}

const applyReady = async (
  ready: readonly PlannedChange[],
  { planAgain, failed, settle, carryOutWave }: Context,
): Promise<void> => {
  let fresh: readonly PlannedChange[]
  try {
    fresh = await planAgain(new Set(ready.map(({ change }) => change.address)))
  } catch (error) {
    for (const planned of ready) settle(failed(planned, error))
    return
  }
  const byAddress = Map.groupBy(fresh, ({ change }) => change.address)
  const wave: PlannedChange[] = []
  for (const shown of ready) {
    const filled = byAddress.get(shown.change.address)?.find(({ change }) => isAsShown(change, shown.change))
    if (filled === undefined) settle(skipped(shown, reason('other-than-shown')))
    else wave.push(filled)
  }
  await carryOutWave(wave)
}

/** Whether a change does what was shown. Only values that it waited for may differ. */
const isAsShown = (filled: Change, shown: Change): boolean => {
  const awaited = new Set(shown.awaited)
  const told = ({ action, fields, requests }: Change) => ({
    action,
    requests,
    fields: fields.map(({ path, before, after }) => [path, before, awaited.has(path) ? null : after]),
  })
  const agreed = new Set(shown.needs?.map(({ flag }) => flag))
  return (
    filled.waitsFor === undefined &&
    isDeepStrictEqual(told(filled), told(shown)) &&
    (filled.needs ?? []).every(({ flag }) => agreed.has(flag))
  )
}
