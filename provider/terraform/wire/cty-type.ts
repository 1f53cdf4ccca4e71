/** The types of Terraform's type system that schemas here use, in the protocol's JSON form. */
export type CtyType =
  | 'string'
  | 'number'
  | 'bool'
  | readonly ['list' | 'set' | 'map', CtyType]
  | readonly ['object', Readonly<Record<string, CtyType>>]

/** Whether a value has its type and is the same in every notation: most parts need no other check. */
export const isPlain = (value: unknown, type: CtyType): boolean =>
  value === null ||
  (type === 'string' && typeof value === 'string') ||
  (type === 'bool' && typeof value === 'boolean')

/** The type as encoded in `SchemaAttribute.type`. */
export const encodeCtyType = (type: CtyType): Uint8Array => Buffer.from(JSON.stringify(type))
