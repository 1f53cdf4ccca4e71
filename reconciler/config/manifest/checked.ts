import type { KindDefinition, ManifestPart } from '@deploymgmt/provider/core'
import type { Evaluator } from '../evaluation/evaluate.ts'
import type { MapNode, Node } from '../tree/node.ts'
import type { Surroundings } from '../evaluation/references.ts'
import type { Report } from '../tree/report.ts'

/** A manifest with its expressions resolved, and what is needed to say what is wrong with it. */
export interface Checked {
  readonly root: MapNode
  readonly value: unknown
  readonly kinds: readonly KindDefinition[]
  readonly parts: Readonly<Record<string, ManifestPart>>
  readonly evaluator: Evaluator
  readonly secrets: ReadonlySet<Node>
  /** What becomes of what only a state, or an apply, can tell. */
  readonly later: Surroundings['later']
  /** Whether every file could be parsed; else what is missing may stand in one of the others. */
  readonly complete: boolean
  readonly report: Report
}

/**
 * Whether projects and defaults may stand in a file that could not be read, so that what depends on them is not told.
 * What Terraform writes has neither.
 */
export const lacksFiles = ({ root, complete }: Pick<Checked, 'root' | 'complete'>): boolean =>
  !complete && root.source.dialect === undefined
