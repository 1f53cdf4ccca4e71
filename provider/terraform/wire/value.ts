/** A value that is not known before apply. What Terraform knows about it besides (a refinement) is dropped. */
export const UNKNOWN: unique symbol = Symbol('unknown')

/**
 * Terraform's values as JavaScript holds them. Lists and sets are arrays, maps and objects are objects. Read by a
 * type, an object has every one of its attributes, null where it is not set.
 */
export type TerraformValue =
  | null
  | typeof UNKNOWN
  | boolean
  | string
  | number
  | readonly TerraformValue[]
  | TerraformObject

export interface TerraformObject {
  readonly [name: string]: TerraformValue
}
