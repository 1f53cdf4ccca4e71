import type { EvidenceContext } from '../judge/evidence.ts'
import type { Observations } from '../read/observe.ts'

/** All that planning looks at besides the instance and its record. */
export interface PlanContext extends EvidenceContext {
  readonly observed: Observations
  /** Service time. */
  readonly now: Date
  /** The name a person gave to an id, such as a project's. */
  readonly nameOf: (field: string, id: string) => string | undefined
}
