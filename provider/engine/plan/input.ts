import type { KindDefinition } from '../../core/definition.ts'
import type { JudgeContext } from '../judge/standing.ts'
import type { Reason } from '../reason.ts'
import type { Entry, Records } from '../values/model.ts'

export interface PlanInput extends JudgeContext {
  readonly definitions: readonly KindDefinition[]
  readonly records: Records
  /** Which addresses are planned; all if left out. */
  readonly target?: (address: string) => boolean
  /** Whether an entry may stand for something that is planned; `target` if left out. */
  readonly looksAt?: (entry: string) => boolean
  /** Entries that are declared but not planned in this run. What they claim remains theirs. */
  readonly others?: readonly Entry[]
  /** Further notes of the run. */
  readonly notes?: readonly Reason[]
}
