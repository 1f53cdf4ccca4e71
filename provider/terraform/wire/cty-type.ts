/** Types of Terraform's type system, in the form in which the protocol spells them as JSON. */
export type CtyType =
  | 'string'
  | 'number'
  | 'bool'
  | 'dynamic'
  | readonly ['list', CtyType]
  | readonly ['set', CtyType]
  | readonly ['map', CtyType]
  | CtyObjectType
  | readonly ['tuple', readonly CtyType[]]

export type CtyObjectType = readonly ['object', Readonly<Record<string, CtyType>>]

/** The type as `SchemaAttribute.type` carries it. */
export const encodeCtyType = (type: CtyType): Uint8Array => Buffer.from(JSON.stringify(type))

/** The type that such bytes say. */
export const decodeCtyType = (content: Uint8Array): CtyType => {
  const type: unknown = JSON.parse(Buffer.from(content).toString('utf8'))
  if (!isCtyType(type)) throw new TypeError(`${JSON.stringify(type)} is no type of Terraform's.`)
  return type
}

const PRIMITIVES: readonly unknown[] = ['string', 'number', 'bool', 'dynamic']

const isCtyType = (type: unknown): type is CtyType => {
  if (!Array.isArray(type)) return PRIMITIVES.includes(type)
  const [constructor, of] = type as readonly unknown[]
  switch (constructor) {
    case 'list':
    case 'set':
    case 'map':
      return isCtyType(of)
    case 'object':
      return typeof of === 'object' && of !== null && Object.values(of).every(isCtyType)
    case 'tuple':
      return Array.isArray(of) && of.every(isCtyType)
    default:
      return false
  }
}
