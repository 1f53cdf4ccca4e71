import {
  readAndPlan,
  type Acquainted,
  type EngineClient,
  type EventLog,
  type Records,
  type Run,
  type RunInput,
} from '@deploymgmt/provider/engine'
import { pickBy } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import type { LoadedDeclaration } from '../config/index.ts'
import { ManifestError } from '../errors/index.ts'
import { refuseParted, targetOf, withIdleTargets } from './target.ts'
import { recordedIn } from './workspace.ts'

export interface PlanRunInput extends Pick<RunInput, 'look' | 'now' | 'widely' | 'byLists'> {
  readonly loaded: LoadedDeclaration
  readonly records: Records
  readonly globs: readonly string[]
  /** An earlier run that has read all of it, with the events that were read since: they alone are read again, if at all. */
  readonly after?: { readonly run: Run; readonly log: EventLog }
  /** With what creations are compared; what was compared before needs it no more. */
  readonly acquainted?: Acquainted
}

/**
 * Reads and plans what is loaded; a reference to what this plan makes anew waits for its new id.
 * @throws AddressError where a target parts the two names of a thing
 */
export const planRun = async (
  client: EngineClient,
  { loaded, records, globs, look, now, widely = false, after, acquainted, byLists }: PlanRunInput,
): Promise<Run> => {
  const { declaration } = loaded
  const target = targetOf(globs)
  const at = { ...(now === undefined ? {} : { now }), ...(byLists === undefined ? {} : { byLists }) }
  const anew = () => {
    const met = acquainted === undefined ? {} : { acquainted }
    return readAndPlan(client, {
      definitions: kinds,
      declaration,
      records,
      look,
      widely,
      ...target,
      ...at,
      ...met,
    })
  }
  const again = async ({ run, log }: NonNullable<typeof after>): Promise<Run> => {
    const later =
      log.readAt === undefined
        ? await run.lookAgain(declaration, records)
        : run.planAgain(declaration, { records, log })
    return later.isCompared ? later : anew()
  }
  const run = after === undefined ? await anew() : await again(after)
  refuseParted(run.plan)
  return withIdleTargets(await withReplaced(run, loaded, records), globs)
}

/** What is created where something is recorded replaces it: the recorded id is about to be another thing's. */
const withReplaced = async (run: Run, loaded: LoadedDeclaration, records: Records): Promise<Run> => {
  const anew = new Set(
    run.plan.planned.flatMap(({ change, work }) => (work.do === 'create' ? [change.address] : [])),
  )
  const kept = pickBy(records, (_, address) => !anew.has(address))
  if (Object.keys(kept).length === Object.keys(records).length) return run
  try {
    const { declaration } = await loaded.reevaluate(recordedIn(kept))
    return run.planAgain(declaration)
  } catch (error) {
    // What names another thing by the old id cannot wait: it means the old thing until the next plan.
    if (error instanceof ManifestError) return run
    throw error
  }
}
