import { errorAt } from './diagnostics.ts'
import type { Block } from '../core/index.ts'
import type { Diagnostic } from './wire/common-messages.ts'
import type { TerraformObject } from './wire/value.ts'

/** Terraform itself lets a configuration set what is computed alone, and would then plan what cannot be. */
export const readOnlyIn = ({ attributes }: Block, config: TerraformObject): Diagnostic[] =>
  attributes
    .filter(({ name, use }) => use === 'computed' && (config[name] ?? null) !== null)
    .map(({ name, summary }) => errorAt(name, `${name} cannot be set: it is read from the service`, summary))
