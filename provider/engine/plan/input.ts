import type { KindDefinition } from '../../core/definition.ts'
import type { JudgeContext } from '../judge/standing.ts'
import type { Reason } from '../reason.ts'
import type { Entry, Records } from '../values/model.ts'

/** What a plan is made from. */
export interface PlanInput extends JudgeContext {
  readonly definitions: readonly KindDefinition[]
  readonly records: Records
  /** Only these addresses are planned; none means all. */
  readonly target?: (address: string) => boolean
  /** Entries that are declared and not planned in this run; what they claim is theirs all the same. */
  readonly others?: readonly Entry[]
  /** What else a run has to say. */
  readonly notes?: readonly Reason[]
}
