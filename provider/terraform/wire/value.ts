/** Terraform's values as JavaScript holds them. */
import type { CtyType } from './cty-type.ts'
import type { CtyNumber } from './decimal.ts'

/** A value that is not known before apply. What Terraform knows about it besides (a refinement) is dropped. */
export const UNKNOWN: unique symbol = Symbol('unknown')
export type Unknown = typeof UNKNOWN

/** A value where the schema leaves the type open: it carries its own. */
export class Typed {
  readonly type: CtyType
  readonly value: TerraformValue

  constructor(type: CtyType, value: TerraformValue) {
    this.type = type
    this.value = value
  }
}

/**
 * Lists, sets and tuples are arrays, maps and objects are objects. Read by a type, an object has every one of
 * its attributes, null where it is not set.
 */
export type TerraformValue =
  | null
  | Unknown
  | boolean
  | string
  | CtyNumber
  | Typed
  | readonly TerraformValue[]
  | TerraformObject

export interface TerraformObject {
  readonly [name: string]: TerraformValue
}
