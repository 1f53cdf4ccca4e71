/**
 * A value that is not known before the apply. Anything else that Terraform knows about it (a refinement) is dropped.
 */
export const UNKNOWN: unique symbol = Symbol('unknown')

/**
 * Terraform values in JavaScript. Lists and sets are arrays, maps and objects are objects. An object that was read by
 * its type has all of its attributes, with null for those that are not set.
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
