import type { Position } from '@deploymgmt/provider/engine'

/** A mistake in a manifest, or something worth a look. Contains no secrets and no control characters. */
export interface ManifestFinding extends Position {
  readonly severity: 'error' | 'warning'
  /** The path in the manifest: `apiKeys.reporting.roles[0]`; empty for the whole file. */
  readonly path: string
  readonly message: string
  /** The code that a plan gives the same finding. */
  readonly reasonCode?: string
  /** The nearest valid spelling. */
  readonly suggestion?: string
  /** The allowed values. */
  readonly allowed?: readonly string[]
  /** The other place, if two contradict each other. */
  readonly also?: Position
  /** The line, made safe to show, and what the carets underline, in columns of the shown text. */
  readonly excerpt?: Excerpt
}

export interface Excerpt {
  readonly text: string
  readonly indent: number
  readonly width: number
}
