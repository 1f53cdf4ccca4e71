/** Types of Terraform's type system, in the form in which the protocol spells them as JSON. */
import {
  BlockNesting,
  ObjectNesting,
  type SchemaAttribute,
  type SchemaBlock,
  type SchemaNestedBlock,
} from './schema-messages.ts'

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

/** The type of the values that a block's schema describes: what a DynamicValue is decoded by. */
export const typeOfBlock = (block: SchemaBlock): CtyObjectType => [
  'object',
  Object.fromEntries([
    ...(block.attributes ?? []).map((attribute) => [attribute.name, typeOfAttribute(attribute)] as const),
    ...(block.blockTypes ?? []).map((nested) => [nested.typeName, typeOfNestedBlock(nested)] as const),
  ]),
]

const typeOfAttribute = (attribute: SchemaAttribute): CtyType => {
  const { nestedType } = attribute
  if (nestedType === undefined) return decodeCtyType(attribute.type ?? new Uint8Array(0))
  const object = typeOfBlock({ attributes: nestedType.attributes })
  switch (nestedType.nesting) {
    case ObjectNesting.list:
      return ['list', object]
    case ObjectNesting.set:
      return ['set', object]
    case ObjectNesting.map:
      return ['map', object]
    default:
      return object
  }
}

const typeOfNestedBlock = (nested: SchemaNestedBlock): CtyType => {
  const object = typeOfBlock(nested.block ?? {})
  switch (nested.nesting) {
    case BlockNesting.list:
      return ['list', object]
    case BlockNesting.set:
      return ['set', object]
    case BlockNesting.map:
      return ['map', object]
    default:
      return object
  }
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
