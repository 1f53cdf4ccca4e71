import type { Position } from '@deploymgmt/provider/engine'

/** One thing that is wrong in a manifest, or worth a look. Free of secrets and of control characters. */
export interface ManifestFinding extends Position {
  readonly severity: 'error' | 'warning'
  /** Where in the manifest: `apiKeys.reporting.roles[0]`; empty for the whole file. */
  readonly path: string
  readonly message: string
  /** Of what a plan finds too: the code that it gives the same. */
  readonly reasonCode?: string
  /** The nearest valid spelling. */
  readonly suggestion?: string
  /** What may stand there. */
  readonly allowed?: readonly string[]
  /** The other place, where two disagree. */
  readonly also?: Position
  /** The line, made safe to show, and what the carets underline: columns of the shown text. */
  readonly excerpt?: Excerpt
}

export interface Excerpt {
  readonly text: string
  readonly indent: number
  readonly width: number
}
