/** The schema messages of plugin protocol 6. */
import { type MessageType, bool, bytes, enumeration, integer, nested, repeated, string } from './protobuf.ts'

/** The format of a description. */
export const StringKind = { plain: 0, markdown: 1 } as const
export type StringKind = (typeof StringKind)[keyof typeof StringKind]

/** How the objects of a nested attribute are collected. */
export const ObjectNesting = { invalid: 0, single: 1, list: 2, set: 3, map: 4 } as const
export type ObjectNesting = (typeof ObjectNesting)[keyof typeof ObjectNesting]

/** One attribute: it has either a `type` (see `encodeCtyType`) or a `nestedType`. */
export interface SchemaAttribute {
  name: string
  type?: Uint8Array | undefined
  nestedType?: SchemaObject | undefined
  description?: string | undefined
  required?: boolean | undefined
  optional?: boolean | undefined
  computed?: boolean | undefined
  sensitive?: boolean | undefined
  descriptionKind?: StringKind | undefined
  deprecated?: boolean | undefined
  writeOnly?: boolean | undefined
}

const schemaAttribute: MessageType<SchemaAttribute> = {
  name: 'Schema.Attribute',
  fields: {
    name: string(1),
    type: bytes(2),
    nestedType: nested(10, () => schemaObject),
    description: string(3),
    required: bool(4),
    optional: bool(5),
    computed: bool(6),
    sensitive: bool(7),
    descriptionKind: enumeration<StringKind>(8),
    deprecated: bool(9),
    writeOnly: bool(11),
  },
}

/** The objects in a nested attribute. */
interface SchemaObject {
  attributes: SchemaAttribute[]
  nesting: ObjectNesting
}

const schemaObject: MessageType<SchemaObject> = {
  name: 'Schema.Object',
  fields: { attributes: repeated(1, () => schemaAttribute), nesting: enumeration<ObjectNesting>(3) },
}

export interface SchemaBlock {
  version?: number | undefined
  attributes?: SchemaAttribute[] | undefined
  description?: string | undefined
  descriptionKind?: StringKind | undefined
  deprecated?: boolean | undefined
}

const schemaBlock: MessageType<SchemaBlock> = {
  name: 'Schema.Block',
  fields: {
    version: integer(1),
    attributes: repeated(2, () => schemaAttribute),
    description: string(4),
    descriptionKind: enumeration<StringKind>(5),
    deprecated: bool(6),
  },
}

/** The schema of the provider, a resource or a data source. */
export interface Schema {
  /** State that was stored with another version goes through UpgradeResourceState. */
  version?: number | undefined
  block?: SchemaBlock | undefined
}

export const schema: MessageType<Schema> = {
  name: 'Schema',
  fields: { version: integer(1), block: nested(2, () => schemaBlock) },
}
