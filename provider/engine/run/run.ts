import type { ToCreate } from '../judge/alike.ts'
import { areCompared, compare, type Compared, type Comparison } from '../judge/created.ts'
import type { JudgeContext } from '../judge/standing.ts'
import { plan, type Plan } from '../plan/plan.ts'
import type { PlannedChange } from '../plan/work.ts'
import type { EngineClient } from '../read/client.ts'
import { joined, type EventLog } from '../read/events.ts'
import type { Observations } from '../read/observe.ts'
import { readsOf, splitByTarget, type RunInput } from './input.ts'
import { readUnseenEvents, readNeeded } from './reading.ts'
import type { Declaration, Records } from '../values/model.ts'

/** What one run has read, and the plan that follows from it. */
export interface Run extends JudgeContext {
  readonly plan: Plan
  /** See `RunReads.withUnmanaged`. */
  readonly withUnmanaged: boolean
  /** If something is to be created: what it was compared with. */
  readonly compared?: Compared
  /** Whether all creations were compared. A plan can contain creations that nobody expected. */
  readonly isCompared: boolean
  /** Plans the declaration as it is evaluated now, from what this run has read; sends nothing. */
  readonly planAgain: (declaration: Declaration, later?: ByNow) => Run
  /** The same with the current records, after reading current events. */
  readonly lookAgain: (declaration: Declaration, records: Records) => Promise<Run>
}

/** A run that looked for unmanaged things, and kept everything that it listed. */
export type RunWithUnmanaged = Run & { readonly withUnmanaged: true }

export const readsUnmanaged = (run: Run): run is RunWithUnmanaged => run.withUnmanaged

/** Records and events of now, both of which may be newer than what a run has read. */
interface ByNow {
  readonly records: Records
  readonly log: EventLog
}

/** Reads only what is needed, and plans. Writes nothing. */
export const readAndPlan = async (client: EngineClient, input: RunInput): Promise<Run> => {
  const { observed, log } = await readNeeded(client, input)
  const seen: RunFacts = { client, input, observed, now: input.now ?? new Date(client.serviceNow()) }
  const { declaration, records } = input
  const first = planFrom(seen, declaration, { records, log })
  const comparison = await compare(client, input, creationsIn(first.plan.planned))
  return comparison === undefined ? first : planFrom({ ...seen, comparison }, declaration, { records, log })
}

/** What all plans of one run start from. */
interface RunFacts {
  readonly client: EngineClient
  readonly input: RunInput
  readonly observed: Observations
  readonly now: Date
  readonly comparison?: Comparison
}

const planFrom = (seen: RunFacts, declaration: Declaration, known: ByNow): Run => {
  const { client, input, observed, now, comparison } = seen
  const { definitions, target, sent } = input
  const { withUnmanaged } = readsOf(input)
  const { records, log } = known
  const { declaration: looked, others } = splitByTarget(input, declaration)
  const compared = comparison?.(declaration, records)
  const { strangers = [], notes = [] } = compared ?? {}
  const own = { ownKey: client.publicKey, strangers, ...(sent === undefined ? {} : { sent }) }
  const context: JudgeContext = { declaration: looked, observed, log, now, ...own }
  const made = plan({ ...context, definitions, records, others, notes, target })
  return {
    ...context,
    ...(compared === undefined ? {} : { compared }),
    withUnmanaged,
    isCompared: areCompared(creationsIn(made.planned), compared, { definitions, declaration }),
    plan: made,
    ...planningAgain(seen, known),
  }
}

const planningAgain = (seen: RunFacts, known: ByNow): Pick<Run, 'planAgain' | 'lookAgain'> => {
  const planAgain: Run['planAgain'] = (declaration, later) =>
    planFrom(seen, declaration, later === undefined ? known : { ...later, log: joined(known.log, later.log) })
  const lookAgain: Run['lookAgain'] = async (declaration, records) => {
    const log = await readUnseenEvents(seen.client, { ...seen.input, records }, declaration)
    return planAgain(declaration, { records, log })
  }
  return { planAgain, lookAgain }
}

const creationsIn = (planned: readonly PlannedChange[]): ToCreate[] =>
  planned.flatMap(({ work }) => {
    if (work.do !== 'create') return []
    const { definition, identity, desired } = work.instance
    return [{ kind: definition.kind, identity, applied: desired }]
  })
