import type { Origin } from '../../config/evaluation/origin.ts'

/** The origins of the values of an entry, or of one of its instances. */
export interface ReportedExplained {
  readonly address: string
  /** For an instance: a description, as far as it was read. */
  readonly what?: string
  /** For an instance of several: its project, by name if it has one. */
  readonly project?: string
  /** For an entry of several projects: the projects. */
  readonly projects?: readonly string[]
  /** Projects that the entry excludes. */
  readonly except?: readonly string[]
  /** Entries with a selector that matches what this entry names by id. */
  readonly takesFrom?: readonly string[]
  /** Entries by id that take a thing out of this entry's selector. */
  readonly leavesTo?: readonly string[]
  readonly values: readonly { readonly field: string; readonly from: readonly Origin[] }[]
}
