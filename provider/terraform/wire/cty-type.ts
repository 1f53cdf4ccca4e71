/** Types of Terraform's type system that schemas here have, in the form in which the protocol spells them as JSON. */
export type CtyType =
  | 'string'
  | 'number'
  | 'bool'
  | readonly ['list' | 'set' | 'map', CtyType]
  | readonly ['object', Readonly<Record<string, CtyType>>]

/** Whether a value is of its type, and the same in every notation: of most parts there is nothing else to know. */
export const isPlain = (value: unknown, type: CtyType): boolean =>
  value === null ||
  (type === 'string' && typeof value === 'string') ||
  (type === 'bool' && typeof value === 'boolean')

/** The type as `SchemaAttribute.type` carries it. */
export const encodeCtyType = (type: CtyType): Uint8Array => Buffer.from(JSON.stringify(type))
