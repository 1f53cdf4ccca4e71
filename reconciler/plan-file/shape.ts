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

/** A file with a saved plan. */
export const planFileCheck = shapeOf({
  formatVersion: constant(1),
  savedPlan: constant(true),
  baseUrl: text,
  /** Service time as of which it was made: what time alone changes since is nobody's change. */
  now: instant,
  /** What the service said of itself. */
  serviceVersion: optional(text),
  /** The state file that it was made with, where that is not the usual one. */
  stateFile: optional(text),
  files: listOf(text),
  vars: listOf(text),
  varFiles: optional(listOf(text)),
  target: listOf(text),
  sources: listOf(shapeOf({ file: text, sha256: text })),
  state: shapeOf({ lineage: text, serial: fromZero, exists: flag }),
  document: keptPlanShape,
  /** The digest of all else; plans of earlier versions have none. */
  contentSha256: optional(text),
})

/** A saved plan: what was shown, and all that it was made from. Holds no secret: manifests hold references alone. */
export type SavedPlan = Omit<TypeOf<typeof planFileCheck>, 'contentSha256'>
