import type { Block } from '../core/index.ts'
import { isGiven, type Plain } from './codec/plain.ts'
import { cannotBeSet } from './words.ts'
import { errorAt, type Diagnostic } from './diagnostics.ts'

/** Terraform itself lets a configuration set what is computed alone, and would then plan what cannot be. */
export const readOnlyIn = ({ attributes }: Block, config: Plain): Diagnostic[] =>
  attributes
    .filter(({ key, use }) => use === 'computed' && isGiven(config, key))
    .map(({ key, summary }) => errorAt(key, cannotBeSet(key, summary)))
