import type { ReportedDrift } from '../document/drift-model.ts'
import { isGone } from '../document/gone.ts'

/** Whether only events suggest a drift, and nothing shows their effect. */
export const isPerhaps = (drift: ReportedDrift): boolean =>
  drift.verdict === 'drifted' &&
  drift.evidence.level === 'suspect' &&
  !isGone(drift) &&
  drift.fields.every(({ after }) => after === null)
