import { encodeCtyType, type CtyType } from '../../../../provider/terraform/wire/cty-type.ts'
import { ObjectNesting, type SchemaBlock } from '../../../../provider/terraform/wire/schema-messages.ts'

/** The schema of the only resource of the toy provider. */
export const thing: SchemaBlock = {
  description: 'A **thing** that is remembered.',
  attributes: [
    { name: 'id', type: encodeCtyType('string'), computed: true },
    { name: 'name', type: encodeCtyType('string'), required: true },
    { name: 'size', type: encodeCtyType('number'), optional: true },
    { name: 'labels', type: encodeCtyType(['map', 'string']), optional: true },
    { name: 'secret', type: encodeCtyType('string'), optional: true, writeOnly: true },
    {
      name: 'parts',
      optional: true,
      nestedType: {
        nesting: ObjectNesting.list,
        attributes: [
          { name: 'kind', type: encodeCtyType('string'), required: true },
          { name: 'weights', type: encodeCtyType(['set', 'number']), optional: true },
        ],
      },
    },
  ],
}

export const thingType: CtyType = [
  'object',
  {
    id: 'string',
    name: 'string',
    size: 'number',
    labels: ['map', 'string'],
    secret: 'string',
    parts: ['list', ['object', { kind: 'string', weights: ['set', 'number'] }]],
  },
]
