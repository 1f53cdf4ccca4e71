import type { Origin } from '../../config/evaluation/origin.ts'

/** Where the values of an entry come from, or of one of the things that it stands for. */
export interface SaidExplained {
  readonly address: string
  /** Of one thing: what it is, as far as it was read. */
  readonly what?: string
  /** Of one of several: its project, by name where it has one. */
  readonly project?: string
  /** Of an entry of several projects: those. */
  readonly projects?: readonly string[]
  /** Projects that the entry leaves out. */
  readonly except?: readonly string[]
  /** Entries by selector that would stand for what this one names by its id. */
  readonly takesFrom?: readonly string[]
  /** Entries by id that take something out of what this one selects. */
  readonly leavesTo?: readonly string[]
  readonly values: readonly { readonly field: string; readonly from: readonly Origin[] }[]
}
