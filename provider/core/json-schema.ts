import type { KindDefinition } from './definition.ts'
import { Field, boolean, element, id, integer, json, oneOf, set, string } from './field.ts'
import type { Fields, FieldType } from './field.ts'
import { isNone } from './operation.ts'

/** What stands at a place of a manifest: a field's type, or things by name. */
export type ManifestType =
  | FieldType
  | { readonly is: 'map'; readonly of: Extract<FieldType, { is: 'object' }>; readonly noun: string }
export interface ManifestPart {
  readonly type: ManifestType
  readonly summary: string
}
export type JsonSchema = Readonly<Record<string, unknown>>

/** Names are parts of addresses and of expressions, so that dots and brackets have no place in them. */
export const NAME_PATTERN = '^(?!__)[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$'
/** An id is one segment of a path: nothing that leads out of it, and nothing that cannot be seen. */
export const ID_PATTERN =
  '^(?!\\.{1,2}$)[^\\s/\\\\\\u0000-\\u001F\\u007F-\\u009F\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F]+$'
const ID_LENGTH = 200
const EXPRESSION = { $ref: '#/$defs/expression' }

/** The fields of a kind that a manifest declares; the service tells the others. */
export const declarable = (kind: KindDefinition): Fields =>
  Object.fromEntries(Object.entries(kind.fields).filter(([, field]) => field.change !== 'computed'))

/** Fields that are compared with the service, so that a difference in them can be ignored. */
export const comparable = (kind: KindDefinition): string[] =>
  Object.entries(declarable(kind))
    .filter(([, field]) => field.part === 'value' && field.type.is !== 'secret')
    .map(([name]) => name)

/** Words that every entry takes besides its kind's fields. */
export const options = (kind: KindDefinition): Fields => ({
  ...(kind.identity.scope.includes('projectId')
    ? {
        projectIds: new Field(
          { is: 'set', of: { is: 'id' }, atLeast: 1 },
          'Declares the entry for each of these, in place of projectId.',
        ).optional(),
      }
    : {}),
  onRemove: oneOf(Object.keys(kind.release), 'way of removal', waysOfRemoval(kind)).optional(),
  protect: boolean('Whether every write that removes or narrows it is refused.').optional(),
  ignoreChanges: set(
    element.oneOf(comparable(kind), 'comparable field of this kind'),
    'Fields that are neither compared nor sent once it is recorded.',
  ).optional(),
})

const waysOfRemoval = (kind: KindDefinition): string =>
  [
    `What happens when the entry is taken out; ${Object.keys(kind.release)[0] ?? 'forget'} where left out.`,
    ...Object.entries(kind.release).map(([name, { summary }]) => `${name}: ${summary}`),
  ].join(' ')

/** One entry as it is written. Its scope may come from the defaults, so that it demands none. */
export const entryType = (kind: KindDefinition): Extract<FieldType, { is: 'object' }> => {
  const demanded = (name: string): boolean =>
    !kind.identity.scope.includes(name) && kind.expand.instead?.of.includes(name) !== true
  const fields = Object.entries(declarable(kind)).map(([name, field]): [string, Field] => [
    name,
    demanded(name) ? field : field.optional(),
  ])
  return { is: 'object', fields: { ...Object.fromEntries(fields), ...options(kind) } }
}

/** What an entry may inherit: what scopes any kind, and the options that mean the same for all of them. */
export const inheritable = (kinds: readonly KindDefinition[]): Fields => {
  const scopes = kinds.flatMap((kind) =>
    kind.identity.scope.map((name) => [name, kind.fields[name]] as const),
  )
  const [first, ...others] = kinds.map((kind) => Object.keys(kind.release))
  const ways = (first ?? []).filter((way) => others.every((names) => names.includes(way)))
  return {
    ...Object.fromEntries(scopes.flatMap(([name, field]) => (field ? [[name, field.optional()]] : []))),
    onRemove: oneOf(ways, 'way of removal that every kind has', 'Way of removal of every entry.').optional(),
    protect: boolean('Whether every entry is protected.').optional(),
  }
}

/** The whole manifest, part by part, in the order in which people write it. */
export const manifestParts = (kinds: readonly KindDefinition[]): Readonly<Record<string, ManifestPart>> => ({
  version: { type: integer('').type, summary: 'Version of the manifest’s form: 1.' },
  name: {
    type: { is: 'string', minLength: 1, maxLength: 200 },
    summary: 'Which declaration this is; recorded in the state.',
  },
  variables: {
    type: { is: 'map', noun: 'variable', of: { is: 'object', fields: variable } },
    summary: 'Values that --var NAME=VALUE sets, used as ${var.NAME}.',
  },
  projects: {
    type: { is: 'map', noun: 'project', of: { is: 'object', fields: project } },
    summary: 'Names and organizations of projects, used as ${projects.NAME.id}.',
  },
  defaults: {
    type: { is: 'object', fields: inheritable(kinds) },
    summary: 'What entries take where they say nothing themselves.',
  },
  ...Object.fromEntries(
    kinds.map((kind): [string, ManifestPart] => [
      kind.section,
      { type: { is: 'map', noun: kind.title.toLowerCase(), of: entryType(kind) }, summary: kind.summary },
    ]),
  ),
})

const variable: Fields = {
  description: string('What the variable is for.').optional(),
  default: json('Its value where --var gives none; a string, a number, true or false.').optional(),
}
const project: Fields = {
  id: id('The project.'),
  orgId: id('Organization that owns the project.').optional(),
}

/**
 * The JSON Schema (draft 2020-12) of a manifest. With `expressions`, as an editor sees it, `${…}` may stand
 * for any value; without, as it is once they are resolved.
 */
export const manifestSchema = (
  kinds: readonly KindDefinition[],
  { expressions = true }: { expressions?: boolean } = {},
): JsonSchema => {
  const parts = Object.entries(manifestParts(kinds))
  const sections = new Map(kinds.map((kind) => [kind.section, kind]))
  const properties = parts.map(([name, { type, summary }]) => {
    const schema =
      type.is === 'map' ? mapSchema(type, expressions, sections.get(name)) : typeSchema(type, expressions)
    return [name, { description: summary, ...(name === 'version' ? { const: 1 } : schema) }]
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'deploymgmt manifest',
    type: 'object',
    properties: Object.fromEntries(properties),
    required: ['version', 'name'],
    additionalProperties: false,
    ...(expressions ? { $defs: { expression: EXPRESSION_SCHEMA } } : {}),
  }
}

const EXPRESSION_SCHEMA = {
  description: '${var.NAME}, ${projects.NAME.id} or ${SECTION.NAME.FIELD}',
  type: 'string',
  pattern: '\\$\\{[^}]+\\}',
}

type MapType = Extract<ManifestType, { is: 'map' }>
const mapSchema = ({ of }: MapType, expressions: boolean, kind: KindDefinition | undefined): JsonSchema => ({
  // A section whose entries are all commented out is null.
  type: ['object', 'null'],
  propertyNames: { pattern: NAME_PATTERN },
  additionalProperties: { ...typeSchema(of, expressions), ...(kind ? creationSchema(kind) : {}) },
})

/** What creating takes is demanded unless the entry names an existing thing, or a field stands in its place. */
const creationSchema = (kind: KindDefinition): JsonSchema => {
  const demands = [...insteadSchema(kind), ...neededSchema(kind)]
  return demands.length === 1 ? { ...demands[0] } : demands.length === 0 ? {} : { allOf: demands }
}

const insteadSchema = ({ expand: { instead }, fields }: KindDefinition): JsonSchema[] =>
  instead === undefined || fields[instead.field] === undefined
    ? []
    : [{ if: { required: [instead.field] }, else: { required: instead.of } }]

const neededSchema = (kind: KindDefinition): JsonSchema[] => {
  const required = neededToCreate(kind)
  if (required.length === 0) return []
  const { key } = kind.identity
  return [
    isNone(kind.establish.adopt)
      ? { allOf: [{ required }] }
      : { if: { required: [key] }, else: { required } },
  ]
}

/** Fields that a creation takes. */
export const neededToCreate = (kind: KindDefinition): string[] =>
  Object.entries(declarable(kind))
    .filter(([, field]) => field.need === 'to-create')
    .map(([name]) => name)

const objectSchema = (fields: Fields, expressions: boolean): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, fieldSchema(field, expressions)]),
  ),
  required: Object.entries(fields)
    .filter(([, field]) => field.need === 'always')
    .map(([name]) => name),
  additionalProperties: false,
})

const fieldSchema = (field: Field, expressions: boolean): JsonSchema => ({
  description: field.summary,
  ...typeSchema(field.type, expressions),
  ...(field.default === undefined ? {} : { default: field.default }),
  ...(field.example === undefined ? {} : { examples: [field.example] }),
})

/** The JSON Schema of one type. */
export const typeSchema = (type: FieldType, expressions = false): JsonSchema => {
  const schema = plainSchema(type, expressions)
  const takesAnyString = type.is === 'string' && type.minLength === undefined && type.maxLength === undefined
  const never = ['object', 'secret', 'json'].includes(type.is) || takesAnyString
  return expressions && !never ? { anyOf: [schema, EXPRESSION] } : schema
}

const plainSchema = (type: FieldType, expressions: boolean): JsonSchema => {
  switch (type.is) {
    case 'string': {
      const { minLength, maxLength } = type
      return {
        type: 'string',
        ...(minLength === undefined ? {} : { minLength }),
        ...(maxLength === undefined ? {} : { maxLength }),
      }
    }
    case 'id':
      return { type: 'string', pattern: ID_PATTERN, maxLength: ID_LENGTH }
    case 'boolean':
    case 'integer':
    case 'number':
      return { type: type.is }
    case 'instant':
      return { type: 'string', format: 'date-time' }
    case 'cidr':
      return { type: 'string', description: 'An address, or a block such as 192.0.2.0/24.' }
    case 'enum':
      // An open set completes in editors and refuses nothing.
      return type.open
        ? { anyOf: [{ enum: [...type.values] }, { type: 'string' }] }
        : type.values.length === 0
          ? { type: 'string', not: {} }
          : { type: 'string', enum: [...type.values] }
    case 'secret':
      return SECRET_SCHEMA
    case 'json':
      return {}
    case 'set':
    case 'list':
      return {
        type: 'array',
        items: typeSchema(type.of, expressions),
        ...(type.is === 'set' && type.atLeast !== undefined ? { minItems: type.atLeast } : {}),
      }
    case 'object':
      return objectSchema(type.fields, expressions)
  }
}

const reference = (name: string, description: string): JsonSchema => ({
  type: 'object',
  properties: { [name]: { type: 'string', minLength: 1, description } },
  required: [name],
  additionalProperties: false,
})
const SECRET_SCHEMA: JsonSchema = {
  anyOf: [
    reference('env', 'Environment variable that holds it.'),
    reference('file', 'File that holds it, relative to the manifest.'),
  ],
}
