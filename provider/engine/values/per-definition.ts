import type { KindDefinition } from '../../core/definition.ts'
import { oncePer } from '../../core/once.ts'

/**
 * Computes once for each definition what follows from it alone, because it is asked for each thing of the kind. A
 * definition is a constant, so this is never out of date.
 */
export const perDefinition = <T>(
  make: (definition: KindDefinition) => T,
): ((definition: KindDefinition) => T) => oncePer(make)
