import type { SaidDrift } from '../document/drift-model.ts'
import { isGone } from '../document/gone.ts'

/** Whether events alone speak against it, and nothing shows what they did. */
export const isPerhaps = (drift: SaidDrift): boolean =>
  drift.verdict === 'drifted' &&
  drift.evidence.level === 'suspect' &&
  !isGone(drift) &&
  drift.fields.every(({ after }) => after === null)
