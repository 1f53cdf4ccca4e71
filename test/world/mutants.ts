import { engineMutants } from './mutants-of-the-engine.ts'
import { commandMutants } from './mutants-of-the-command.ts'
import type { StoreName } from './places.ts'

/** A defect that is put into a copy of the product, to see whether histories find it. */
export interface Mutant {
  readonly name: string
  readonly file: string
  /** Occurs once in the file. */
  readonly from: string
  readonly to: string
  /** Where histories must keep their state to find it, if not in a file. */
  readonly store?: StoreName
}

export const mutants: readonly Mutant[] = [...engineMutants, ...commandMutants]
