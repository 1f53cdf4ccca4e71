import {
  manifestSpelling,
  type KindDefinition,
  type ManifestPart,
  type Spelling,
} from '@deploymgmt/provider/core'
import type { Evaluator } from '../evaluation/evaluate.ts'
import type { MapNode, Node } from '../tree/node.ts'
import { pathText, type Path } from '../tree/path.ts'
import type { ReferenceContext } from '../evaluation/references.ts'
import type { Report } from '../tree/report.ts'

/** A manifest with its expressions resolved, and the means to report mistakes in it. */
export interface Checked {
  readonly root: MapNode
  readonly value: unknown
  readonly kinds: readonly KindDefinition[]
  readonly parts: Readonly<Record<string, ManifestPart>>
  readonly evaluator: Evaluator
  readonly secrets: ReadonlySet<Node>
  /** How to treat references that only a state, or an apply, can resolve. */
  readonly later: ReferenceContext['later']
  /** Whether every file could be parsed; otherwise missing parts may be in one of the others. */
  readonly complete: boolean
  readonly report: Report
}

/**
 * Whether projects and defaults may be in a file that could not be read, so that errors that depend on them are not
 * reported. Terraform configurations have neither.
 */
export const lacksFiles = ({ root, complete }: Pick<Checked, 'root' | 'complete'>): boolean =>
  !complete && root.source.dialect === undefined

/** A place as the file in which a person declares calls it. */
export const placeOf = (path: Path, { source: { dialect } }: Pick<Node, 'source'>): string =>
  pathText(dialect?.pathOf(path) ?? path)

/** How the file in which a person declares spells names. */
export const spellingIn = ({ source }: Pick<Node, 'source'>): Spelling =>
  source.dialect?.spelling ?? manifestSpelling()
