import {
  leftOutTimes,
  readAndPlan,
  type EngineClient,
  type EventLog,
  type RecordedResource,
  type Records,
  type Run,
  type RunInput,
  type RunReads,
} from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import type { LoadedDeclaration } from '../../config/index.ts'
import { ManifestError } from '../../errors/index.ts'
import { idleTargets, refuseParted, targetOf } from '../resolve/target.ts'
import { recordedIn } from '../resolve/recorded.ts'

interface PlanRunInput extends RunReads, Pick<RunInput, 'now' | 'sent' | 'knownThings'> {
  readonly loaded: LoadedDeclaration
  readonly records: Records
  readonly globs: readonly string[]
  /** An earlier run that has read everything, with the events read since: at most events are read again. */
  readonly after?: { readonly run: Run; readonly log: EventLog }
}

/**
 * Reads and plans the loaded manifests. References resolve things under their new names, and wait for things that
 * this plan replaces.
 * @throws AddressError if the target of a plan includes the old address of a moved thing and not its new one
 */
export const planRun = async (
  client: EngineClient,
  { loaded, records, globs, after, ...how }: PlanRunInput,
): Promise<Run> => {
  const { declaration } = loaded
  const target = targetOf(globs)
  const anew = () => readAndPlan(client, { definitions: kinds, declaration, records, target, ...how })
  const again = async ({ run, log }: NonNullable<typeof after>): Promise<Run> => {
    const later =
      log.readAt === undefined
        ? await run.lookAgain(declaration, records)
        : run.planAgain(declaration, { records, log })
    return later.isCompared ? later : anew()
  }
  const run = after === undefined ? await anew() : await again(after)
  // A report is not carried out: it shows a renamed thing under either name.
  if (how.look === 'for-plan') refuseParted(run.plan)
  const replaced = await withReplaced(run, loaded, records)
  const { plan } = replaced
  // Counting occurrences takes time, and a time that is left out is no drift.
  const leftOut = how.look === 'for-plan' ? leftOutTimes(kinds, replaced) : []
  const warnings = [...plan.warnings, ...idleTargets(plan, globs), ...leftOut]
  return { ...replaced, plan: { ...plan, warnings } }
}

/** Plans with references that know how this plan changes the records. What they do not affect is planned once. */
const withReplaced = async (run: Run, loaded: LoadedDeclaration, records: Records): Promise<Run> => {
  const known = onceCarriedOut(run, records)
  if (known === records) return run
  try {
    const { declaration } = await loaded.reevaluate(recordedIn(known))
    return run.planAgain(declaration)
  } catch (error) {
    // A reference that is not allowed to wait keeps the old id, and so means the old thing until the next plan.
    if (error instanceof ManifestError) return run
    throw error
  }
}

/**
 * The records as references can use them once the plan is carried out: moved things at their new addresses, and no record
 * that a created or adopted thing replaces, because the address then means another thing.
 */
const onceCarriedOut = ({ plan: { planned } }: Run, records: Records): Records => {
  // Copied lazily: most plans change nothing that references use.
  let known: Record<string, RecordedResource> | undefined
  for (const { change, work } of planned) {
    const record = work.do === 'move' ? records[work.from] : undefined
    const isAnother = work.do === 'create' || ('aside' in work && work.aside !== undefined)
    const isReplaced = isAnother && records[change.address] !== undefined
    if (record === undefined && !isReplaced) continue
    known ??= { ...records }
    if (record === undefined) delete known[change.address]
    else known[change.address] = record
    // What its old address means by now, if anything, has no record yet.
    if (work.do === 'move') delete known[work.from]
  }
  return known ?? records
}
