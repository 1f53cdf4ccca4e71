import {
  leftOutTimes,
  readAndPlan,
  type EngineClient,
  type EventLog,
  type RecordedResource,
  type Records,
  type Run,
  type RunInput,
} from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import type { LoadedDeclaration } from '../../config/index.ts'
import { ManifestError } from '../../errors/index.ts'
import { refuseParted, targetOf, withIdleTargets } from '../meant/target.ts'
import { recordedIn } from '../meant/workspace.ts'

export interface PlanRunInput extends Pick<
  RunInput,
  'look' | 'now' | 'widely' | 'whole' | 'byLists' | 'sent' | 'acquainted'
> {
  readonly loaded: LoadedDeclaration
  readonly records: Records
  readonly globs: readonly string[]
  /** An earlier run that has read all of it, with the events that were read since: they alone are read again, if at all. */
  readonly after?: { readonly run: Run; readonly log: EventLog }
}

/**
 * Reads and plans what is loaded; a reference knows what has a new name, and waits for what this plan makes again.
 * @throws AddressError if a target parts the two names of a thing
 */
export const planRun = async (
  client: EngineClient,
  { loaded, records, globs, after, ...how }: PlanRunInput,
): Promise<Run> => {
  const { declaration } = loaded
  const anew = () =>
    readAndPlan(client, { definitions: kinds, declaration, records, ...targetOf(globs), ...how })
  const again = async ({ run, log }: NonNullable<typeof after>): Promise<Run> => {
    const later =
      log.readAt === undefined
        ? await run.lookAgain(declaration, records)
        : run.planAgain(declaration, { records, log })
    return later.isCompared ? later : anew()
  }
  const run = after === undefined ? await anew() : await again(after)
  refuseParted(run.plan)
  const made = withIdleTargets(await withReplaced(run, loaded, records), globs)
  return how.look === 'for-plan' ? withLeftOutTimes(made) : made
}

/** Counting what recurs takes its time: it is asked for where a plan is done, and nothing of it has drifted. */
const withLeftOutTimes = (run: Run): Run => {
  const warnings = leftOutTimes(kinds, run)
  return warnings.length === 0
    ? run
    : { ...run, plan: { ...run.plan, warnings: [...run.plan.warnings, ...warnings] } }
}

/** With references that know what this plan makes of the records; what they do not touch is planned once. */
const withReplaced = async (run: Run, loaded: LoadedDeclaration, records: Records): Promise<Run> => {
  const known = onceCarriedOut(run, records)
  if (known === records) return run
  try {
    const { declaration } = await loaded.reevaluate(recordedIn(known))
    return run.planAgain(declaration)
  } catch (error) {
    // What names another thing by the old id cannot wait: it means the old thing until the next plan.
    if (error instanceof ManifestError) return run
    throw error
  }
}

/**
 * What references can count on: what has a new name is known by it, and what is created, or taken over, where something
 * else is recorded replaces it, so the recorded id is about to be another thing's.
 */
const onceCarriedOut = ({ plan: { planned } }: Run, records: Records): Records => {
  // Most plans change nothing of what references mean, and then nothing has to be copied.
  let known: Record<string, RecordedResource> | undefined
  for (const { change, work } of planned) {
    const record = work.do === 'move' ? records[work.from] : undefined
    const isAnother = work.do === 'create' || ('displaced' in work && work.displaced !== undefined)
    const isReplaced = isAnother && records[change.address] !== undefined
    if (record === undefined && !isReplaced) continue
    known ??= { ...records }
    if (record === undefined) delete known[change.address]
    else known[change.address] = record
  }
  return known ?? records
}
