import type { TSchema } from 'typebox'
import { type ApiError, type ErrorCode, invalid } from '../errors.ts'
import { type SchemaProblem, findProblem, pointerParts } from '../model/schema-problem.ts'
import type { Settings } from '../settings/settings.ts'

/** Keywords of body schemas, besides JSON Schema's, for error codes. */
interface BodySchema extends TSchema {
  readonly properties?: Record<string, BodySchema>
  readonly items?: BodySchema
  /** The code if this field is missing. */
  readonly 'x-missing'?: ErrorCode
  /** Fields of the resource that this endpoint cannot change. */
  readonly 'x-read-only'?: readonly string[]
}

/** Parses a JSON body; errors never repeat the text. */
export const parseJson = (raw: unknown): unknown => {
  if (!Buffer.isBuffer(raw) || raw.length === 0) throw invalid('INVALID_JSON', 'A JSON body is required.')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    throw invalid('INVALID_JSON', 'The body is not valid JSON.')
  }
}

/** Checks a body against the schema of its endpoint; open.unknownFields determines what happens to other fields. */
export const checkBody = (schema: TSchema, body: unknown, settings: Settings): unknown => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('INVALID_JSON', 'The body must be a JSON object.')
  }
  const value = settings.get('open.unknownFields') === 'ignore' ? prune(schema, body) : body
  const problem = findProblem(schema, value)
  if (problem) throw explain(schema, problem)
  return value
}

const explain = (schema: BodySchema, problem: SchemaProblem): ApiError => {
  const at = schemaAt(schema, problem.pointer)
  const name = problem.pointer.slice(1)
  switch (problem.kind) {
    case 'unknown':
      return unknownField(at, name, problem.field)
    case 'missing': {
      const code = at?.properties?.[problem.field]?.['x-missing'] ?? 'MISSING_ATTRIBUTE'
      const missing = nameIn(name, problem.field)
      return invalid(code, `The attribute ${missing} is missing.`, [missing])
    }
    case 'empty':
      return missingOneOf(at)
    case 'enum':
      return invalid('INVALID_ENUM_VALUE', `The attribute ${name} has a value that is not allowed.`, [name])
    case 'type':
    case 'other':
      return invalid('INVALID_ATTRIBUTE', `The attribute ${name} ${problem.message}.`, [name])
  }
}

const nameIn = (parent: string, field: string): string => (parent ? `${parent}/${field}` : field)

const unknownField = (schema: BodySchema | undefined, parent: string, field: string): ApiError => {
  const name = nameIn(parent, field).slice(0, 100)
  return schema?.['x-read-only']?.includes(field)
    ? invalid('ATTRIBUTE_READ_ONLY', `The attribute ${name} cannot be changed.`, [name])
    : invalid('INVALID_JSON_ATTRIBUTE', `The attribute ${name} is unknown.`, [name])
}

const missingOneOf = (schema: BodySchema | undefined): ApiError => {
  const names = Object.keys(schema?.properties ?? {})
  return invalid('MISSING_ONE_OF_ATTRIBUTES', `At least one of ${names.join(', ')} is required.`, names)
}

const schemaAt = (schema: BodySchema, pointer: string): BodySchema | undefined =>
  pointerParts(pointer).reduce<BodySchema | undefined>(
    (current, part) => current?.items ?? current?.properties?.[part],
    schema,
  )

/** Removes fields that are not in the schema. */
const prune = (schema: BodySchema, value: unknown): unknown => {
  if (Array.isArray(value)) {
    const { items } = schema
    return items ? value.map((item) => prune(items, item)) : value
  }
  if (typeof value !== 'object' || value === null || !schema.properties) return value
  const known = Object.entries(schema.properties).filter(([name]) => Object.hasOwn(value, name))
  return Object.fromEntries(
    known.map(([name, part]) => [name, prune(part, (value as Record<string, unknown>)[name])]),
  )
}
