import type { KindDefinition } from './definition.ts'
import type { Field, Fields, FieldType } from './field.ts'
import { manifestParts, neededToCreate, type ManifestType } from './manifest.ts'
import { isNone } from './operation.ts'
import { mapValues } from './values.ts'
import { ID_LENGTH, ID_PATTERN, NAME_PATTERN } from './patterns.ts'

type JsonSchema = Readonly<Record<string, unknown>>
const EXPRESSION = { $ref: '#/$defs/expression' }

/**
 * The JSON Schema (draft 2020-12) of a manifest, for editors: `${…}` may stand for any value. It refuses nothing that
 * the checker accepts in a single file, and accepts what it cannot check, such as a 30th of February.
 */
export const manifestSchema = (kinds: readonly KindDefinition[]): JsonSchema => {
  const parts = Object.entries(manifestParts(kinds))
  const sections = new Map(kinds.map((kind) => [kind.section, kind]))
  const properties = parts.map(([name, { type, summary }]) => {
    const schema = partSchema(type, sections.get(name))
    return [name, { description: summary, ...(name === 'version' ? { const: 1 } : schema) }]
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'deploymgmt manifest',
    type: 'object',
    properties: Object.fromEntries(properties),
    required: ['version', 'name'],
    additionalProperties: false,
    $defs: { expression: EXPRESSION_SCHEMA },
  }
}

const EXPRESSION_SCHEMA = {
  description: '${var.NAME}, ${projects.NAME.id} or ${SECTION.NAME.FIELD}',
  type: 'string',
  pattern: '\\$\\{[^}]+\\}',
}

const partSchema = (type: ManifestType, kind: KindDefinition | undefined): JsonSchema => {
  if (type.is === 'map') return mapSchema(type, kind)
  return type.is === 'object' ? { ...typeSchema(type), type: MAPPING_OR_NOTHING } : typeSchema(type)
}

/** A part in which everything is commented out is null. */
const MAPPING_OR_NOTHING = ['object', 'null']

type MapType = Extract<ManifestType, { is: 'map' }>
const mapSchema = ({ of }: MapType, kind: KindDefinition | undefined): JsonSchema => ({
  type: MAPPING_OR_NOTHING,
  propertyNames: { pattern: NAME_PATTERN },
  additionalProperties: { ...typeSchema(of), ...(kind ? creationSchema(kind) : {}) },
})

/** What a creation needs is required unless the entry names an existing thing, or a field replaces it. */
const creationSchema = (kind: KindDefinition): JsonSchema => {
  const demands = [...insteadSchema(kind), ...neededSchema(kind)]
  return demands.length > 1 ? { allOf: demands } : { ...demands[0] }
}

const insteadSchema = ({ expand: { instead }, fields }: KindDefinition): JsonSchema[] =>
  instead === undefined || fields[instead.field] === undefined
    ? []
    : [{ if: { required: [instead.field] }, else: { required: instead.of } }]

const neededSchema = (kind: KindDefinition): JsonSchema[] => {
  const required = neededToCreate(kind)
  if (required.length === 0) return []
  const { declaredAs } = kind.identity
  return [
    isNone(kind.establish.adopt)
      ? { allOf: [{ required }] }
      : { if: { required: [declaredAs] }, else: { required } },
  ]
}

const objectSchema = (fields: Fields): JsonSchema => ({
  type: 'object',
  properties: mapValues(fields, (field) => fieldSchema(field)),
  required: Object.entries(fields)
    .filter(([, field]) => field.need === 'always')
    .map(([name]) => name),
  additionalProperties: false,
})

const fieldSchema = (field: Field): JsonSchema => ({
  description: field.summary,
  ...typeSchema(field.type),
  ...(field.default === undefined ? {} : { default: field.default }),
  ...(field.example === undefined ? {} : { examples: [field.example] }),
})

const typeSchema = (type: FieldType): JsonSchema => {
  const schema = plainSchema(type)
  const takesAnyString = type.is === 'string' && type.minLength === undefined && type.maxLength === undefined
  const never = ['object', 'secret', 'json'].includes(type.is) || takesAnyString
  return never ? schema : { anyOf: [schema, EXPRESSION] }
}

/** Editors read unquoted digits as a number. The checker takes them from the source text. */
const READ_AS_NUMBER = ['string', 'number']

const plainSchema = (type: FieldType): JsonSchema => {
  switch (type.is) {
    case 'string':
      return stringSchema(type)
    case 'id':
      return { type: READ_AS_NUMBER, pattern: ID_PATTERN, maxLength: ID_LENGTH, minimum: 0 }
    case 'integer':
      return { type: 'integer', ...(type.atLeast === undefined ? {} : { minimum: type.atLeast }) }
    case 'boolean':
    case 'number':
      return { type: type.is }
    case 'instant':
      return {
        type: 'string',
        anyOf: [
          { format: 'date-time' },
          { pattern: '^\\d{4}-\\d\\d-\\d\\dT[0-9:]{8}(\\.\\d+)?([+-][0-9:]{5}|Z)?\\[.+\\]$' },
        ],
      }
    case 'cidr':
      return { type: 'string', description: 'An address, or a block such as 192.0.2.0/24.' }
    case 'enum':
      return enumSchema(type)
    case 'secret':
      return SECRET_SCHEMA
    case 'json':
      return {}
    case 'set':
      return setSchema(type)
    case 'list':
      return listSchema(type)
    case 'object':
      return mappingSchema(type)
  }
}

type Of<I extends FieldType['is']> = Extract<FieldType, { is: I }>

const stringSchema = ({ minLength, maxLength }: Of<'string'>): JsonSchema => ({
  type: READ_AS_NUMBER,
  ...(minLength === undefined ? {} : { minLength }),
  ...(maxLength === undefined ? {} : { maxLength }),
})

/** An open set offers completions in editors and refuses nothing. */
const enumSchema = ({ values, open }: Of<'enum'>): JsonSchema => {
  if (open) return { anyOf: [{ enum: [...values] }, { type: READ_AS_NUMBER, minLength: 1 }] }
  return values.length === 0 ? { type: 'string', not: {} } : { type: 'string', enum: [...values] }
}

const setSchema = ({ atLeast, orAll, ...type }: Of<'set'>): JsonSchema => {
  const list = { ...listSchema(type), ...(atLeast === undefined ? {} : { minItems: atLeast }) }
  return orAll === true ? { anyOf: [list, ...ALL_SCHEMAS] } : list
}

const mappingSchema = ({ fields, shorthand = '' }: Of<'object'>): JsonSchema => {
  const field = fields[shorthand]
  const whole = objectSchema(fields)
  return field === undefined ? whole : { anyOf: [typeSchema(field.type), whole] }
}

const listSchema = ({ of }: { readonly of: FieldType }): JsonSchema => ({
  type: 'array',
  items: typeSchema(of),
})

/** What stands for every project that the manifest names. */
const ALL_SCHEMAS: readonly JsonSchema[] = [
  { const: 'all' },
  {
    type: 'object',
    properties: { all: { const: true }, except: { type: 'array', items: { type: READ_AS_NUMBER } } },
    required: ['all'],
    additionalProperties: false,
  },
]

const reference = (name: string, description: string): JsonSchema => ({
  type: 'object',
  properties: { [name]: { type: 'string', minLength: 1, description } },
  required: [name],
  additionalProperties: false,
})
const SECRET_SCHEMA: JsonSchema = {
  anyOf: [
    reference('env', 'Environment variable that contains it.'),
    reference('file', 'File that contains it, relative to the manifest.'),
  ],
}
