import type { Facts, ProblemCode } from './problem.ts'

/** A problem of which it is not said yet where it is. */
export type Found = {
  readonly [C in ProblemCode]: { readonly code: C; readonly facts: Facts[C] }
}[ProblemCode]
