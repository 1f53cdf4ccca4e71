/** Types of Terraform's type system that schemas here have, in the form in which the protocol spells them as JSON. */
export type CtyType =
  | 'string'
  | 'number'
  | 'bool'
  | readonly ['list' | 'set' | 'map', CtyType]
  | readonly ['object', Readonly<Record<string, CtyType>>]

/** The type as `SchemaAttribute.type` carries it. */
export const encodeCtyType = (type: CtyType): Uint8Array => Buffer.from(JSON.stringify(type))
