import type { KindDefinition } from '../../core/definition.ts'
import type { Fields, FieldType } from '../../core/field.ts'
import { formatInstant, parseInstant } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import type { Identity, Values } from '../../core/values.ts'
import { asArray } from './compare.ts'
import { perDefinition } from './per-definition.ts'

/** Fields that a body can contain: stored by the service, and not read-only. */
export const sendable = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => {
    const field = fields[name]
    return field?.part === 'value' && (field.change === 'write' || field.change === 'create-only')
  })

/** Fields that a call can change. */
export const writableFields = ({ write }: KindDefinition): readonly string[] =>
  isNone(write) ? [] : write.fields

/** Those that have a value. */
export const writableIn = (definition: KindDefinition, values: Values): readonly string[] =>
  writableFields(definition).filter((name) => values[name] !== undefined)

/** Fields that a call can change, that have a value, and that what was read does not show. */
export const unshownIn = (definition: KindDefinition, known: Values, read: Values): readonly string[] =>
  writableIn(definition, known).filter((name) => read[name] === undefined)

/** Fields that only a creation sets, except secrets, which nothing keeps. */
export const createOnlyFields = perDefinition(({ fields }): readonly string[] =>
  Object.keys(fields).filter(
    (name) => fields[name]?.change === 'create-only' && fields[name]?.type.is !== 'secret',
  ),
)

/** Declared values as a body, by the API's names. Secrets are given resolved, by field name, or are left out. */
export const toBody = (
  fields: Fields,
  names: readonly string[],
  values: Values,
  secrets: Readonly<Record<string, string>> = {},
): Record<string, unknown> => {
  const body: Record<string, unknown> = {}
  for (const name of names) {
    const field = fields[name]
    if (field === undefined || values[name] === undefined) continue
    if (field.type.is === 'secret') {
      if (secrets[name] !== undefined) body[field.wire ?? name] = secrets[name]
    } else body[field.wire ?? name] = toWire(field.type, values[name])
  }
  return body
}

const toWire = (type: FieldType, value: unknown): unknown => {
  if (type.is === 'instant') {
    const at = parseInstant(String(value))
    return Number.isNaN(at) ? value : formatInstant(at)
  }
  if (type.is === 'set' || type.is === 'list') return asArray(value).map((item) => toWire(type.of, item))
  return type.is === 'object'
    ? toBody(type.fields, said(type.fields, value as Values), value as Values)
    : value
}

/** The fields that say something: a service may refuse one that says what another one of them says. */
const said = (fields: Fields, value: Values): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.redundantFor?.(value) !== true)

/** A decoded answer: values by field name and, for some fields, what else the answer holds. */
export interface Decoded {
  readonly values: Values
  readonly beside: Readonly<Record<string, readonly unknown[]>>
}

/**
 * Decodes an answer by the definition's names. Unknown fields are left out, and so are secrets, because the service
 * redacts them.
 */
export const fromAnswer = (definition: KindDefinition, body: unknown, identity: Identity): Decoded => {
  const raw = (typeof body === 'object' && body !== null ? body : {}) as Values
  const values: Record<string, unknown> = {}
  let beside: Record<string, readonly unknown[]> | undefined
  for (const [name, field] of answeredFields(definition)) {
    const value = raw[field.wire ?? name]
    if (value === undefined || value === null) continue
    const decoded = field.decode?.(value, identity)
    values[name] = decoded === undefined ? fromWire(field.type, value) : decoded.value
    if (decoded?.beside === undefined || decoded.beside.length === 0) continue
    beside ??= {}
    beside[name] = decoded.beside
  }
  return { values, beside: beside ?? NOTHING }
}

const NOTHING: Decoded['beside'] = {}

const answeredFields = perDefinition(({ fields }) =>
  Object.entries(fields).filter(([, { part, type }]) => part !== 'local' && type.is !== 'secret'),
)

const fromWire = (type: FieldType, value: unknown): unknown => {
  if (type.is === 'set' || type.is === 'list') return asArray(value).map((item) => fromWire(type.of, item))
  if (type.is !== 'object' || typeof value !== 'object' || value === null) return value
  const raw = value as Values
  const named = Object.entries(type.fields).map(([name, field]) => {
    const inner = raw[field.wire ?? name]
    return [name, inner === undefined || inner === null ? undefined : fromWire(field.type, inner)] as const
  })
  return Object.fromEntries(named.filter(([, inner]) => inner !== undefined))
}
