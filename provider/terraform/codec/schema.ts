import type { Attribute, AttributeType, Block } from '../../core/index.ts'
import { encodeCtyType, type CtyType } from '../wire/cty-type.ts'
import { ObjectNesting, StringKind, type Schema, type SchemaAttribute } from '../wire/schema-messages.ts'

/** A type in Terraform's terms. */
export const ctyOf = (type: AttributeType): CtyType => {
  switch (type.is) {
    case 'list':
    case 'set':
    case 'map':
      return [type.is, ctyOf(type.of)]
    case 'object':
      return blockType(type)
    case 'json':
      return 'string'
    default:
      return type.is
  }
}

/** The type of a whole block, by which its values are encoded. */
export const blockType = ({ attributes }: Pick<Block, 'attributes'>): CtyType => {
  const known = types.get(attributes)
  if (known !== undefined) return known
  const made = [
    'object',
    Object.fromEntries(attributes.map(({ name, type }) => [name, ctyOf(type)])),
  ] as const
  types.set(attributes, made)
  return made
}

/** Cached, because every call asks for the types of the same few blocks. */
const types = new WeakMap<readonly Attribute[], CtyType>()

/** The nesting and the attributes of a type that has attributes of its own; undefined for others. */
export const nestedIn = (
  type: AttributeType,
): { readonly nesting: 'single' | 'list' | 'set'; readonly attributes: readonly Attribute[] } | undefined => {
  if (type.is === 'object') return { nesting: 'single', attributes: type.attributes }
  return (type.is === 'list' || type.is === 'set') && type.of.is === 'object'
    ? { nesting: type.is, attributes: type.of.attributes }
    : undefined
}

export const isConfigurable = ({ use }: Attribute): boolean =>
  use === 'optional' || use === 'optional and computed'
export const isComputed = ({ use }: Attribute): boolean =>
  use === 'computed' || use === 'optional and computed'

/** A block as a message of the protocol. */
export const schemaMessage = ({ summary, attributes }: Block): Schema => ({
  version: 0,
  block: {
    version: 0,
    description: summary,
    descriptionKind: StringKind.markdown,
    attributes: attributes.map(attributeMessage).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  },
})

const attributeMessage = (attribute: Attribute): SchemaAttribute => {
  const { name, summary, use, type, sensitive = false, writeOnly = false } = attribute
  const nested = nestedIn(type)
  return {
    name,
    description: summary,
    descriptionKind: StringKind.markdown,
    required: use === 'required',
    optional: isConfigurable(attribute),
    computed: isComputed(attribute),
    sensitive,
    writeOnly,
    ...(nested === undefined
      ? { type: encodeCtyType(ctyOf(type)) }
      : {
          nestedType: {
            nesting: ObjectNesting[nested.nesting],
            attributes: nested.attributes.map(attributeMessage),
          },
        }),
  }
}
