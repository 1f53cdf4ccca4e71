import { keptPlanShape } from '../render/shapes/plan.ts'
import {
  constant,
  flag,
  fromZero,
  instant,
  listOf,
  optional,
  shapeOf,
  text,
  type TypeOf,
} from '../disk/check.ts'

/** The content of a plan file. */
export const planFileCheck = shapeOf({
  formatVersion: constant(1),
  savedPlan: constant(true),
  baseUrl: text,
  /** The service time of the plan: changes that follow from the passing of time alone are nobody's changes. */
  now: instant,
  /** The version that the service reported. */
  serviceVersion: optional(text),
  /** The state file of the plan, if it is not the default one. */
  stateFile: optional(text),
  files: listOf(text),
  vars: listOf(text),
  varFiles: optional(listOf(text)),
  target: listOf(text),
  sources: listOf(shapeOf({ file: text, sha256: text })),
  state: shapeOf({ lineage: text, serial: fromZero, exists: flag }),
  document: keptPlanShape,
  /** The digest of everything else. */
  contentSha256: text,
})

/**
 * A saved plan: what was shown, and everything that it was made from. Contains no secrets, because manifests contain
 * only references to them.
 */
export type SavedPlan = Omit<TypeOf<typeof planFileCheck>, 'contentSha256'>

/** The state from which a plan was made. */
export const stateOf = ({
  exists,
  state,
}: {
  readonly exists: boolean
  readonly state: Pick<SavedPlan['state'], 'lineage' | 'serial'>
}): SavedPlan['state'] => ({ lineage: exists ? state.lineage : '', serial: state.serial, exists })
