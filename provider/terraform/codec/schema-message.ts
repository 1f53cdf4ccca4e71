import type { Attribute, Block } from './schema.ts'
import { encodeCtyType } from '../wire/cty-type.ts'
import { ObjectNesting, StringKind, type Schema, type SchemaAttribute } from '../wire/schema-messages.ts'

/** A block as the protocol carries it. */
export const schemaMessage = ({ version, summary, attributes }: Block): Schema => ({
  version,
  block: {
    version,
    description: summary,
    descriptionKind: StringKind.markdown,
    attributes: attributes.map(attributeMessage).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  },
})

const attributeMessage = ({
  name,
  summary,
  use,
  type,
  nested,
  sensitive,
  writeOnly,
}: Attribute): SchemaAttribute => ({
  name,
  description: summary,
  descriptionKind: StringKind.markdown,
  required: use === 'required',
  optional: use === 'optional' || use === 'optional and computed',
  computed: use === 'computed' || use === 'optional and computed',
  sensitive: sensitive === true,
  writeOnly: writeOnly === true,
  ...(nested === undefined
    ? { type: encodeCtyType(type) }
    : {
        nestedType: {
          nesting: ObjectNesting[nested.nesting],
          attributes: nested.attributes.map(attributeMessage),
        },
      }),
})
