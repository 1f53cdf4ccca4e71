import { isId } from '../../core/check/index.ts'
import type { Field, Fields, FieldType } from '../../core/field.ts'
import { isObject, type Values } from '../../core/values.ts'
import type { AnswerFault, JsonShape } from '../../errors/index.ts'

/** One item of an answer, and where its shape is not as documented. */
interface ReadItem {
  readonly values: Values
  readonly problems: readonly AnswerFault[]
}

/**
 * An item with the definition's names. Fields that the definition does not know are kept unchanged, because a newer
 * service may tell more. Known fields must have the documented shape, be null, or be left out.
 */
export const readItem = (fields: Fields, raw: unknown, at: string): ReadItem => {
  const problems: AnswerFault[] = []
  return { values: ofObject(fields, raw, at, problems), problems }
}

/** Where a value does not have the documented shape of its type, or could not be recorded. */
export const problemsOf = (type: FieldType, raw: unknown, at: string): readonly AnswerFault[] => {
  if (isPlainlyFit(type, raw)) return NONE
  const problems: AnswerFault[] = []
  ofType(type, raw, at, problems)
  return [...problems, ...unfitIn(type, raw, at)]
}

const NONE: readonly AnswerFault[] = []

/** The common case: the value is as documented and has no parts to check. */
const isPlainlyFit = (type: FieldType, raw: unknown): boolean =>
  typeof raw === 'boolean'
    ? type.is === 'boolean'
    : typeof raw === 'string' && (type.is === 'id' ? isId(raw) : type.is === 'string' || type.is === 'enum')

/** Malformed ids, and null in place of an element. */
const unfitIn = (type: FieldType, raw: unknown, at: string): AnswerFault[] => {
  if (type.is === 'id') return typeof raw !== 'string' || isId(raw) ? [] : [{ fault: 'not-an-id', at }]
  if (type.is === 'object' && isObject(raw))
    return Object.entries(type.fields).flatMap(([name, { type: inner, wire = name }]) =>
      unfitIn(inner, raw[wire] ?? raw[name], `${at}.${wire}`),
    )
  if ((type.is !== 'set' && type.is !== 'list') || !Array.isArray(raw)) return []
  const { of } = type
  return raw.flatMap((item: unknown, index): AnswerFault[] => {
    const place = `${at}[${String(index)}]`
    if (item === null && of.is !== 'json')
      return [{ fault: 'wrong-shape', at: place, is: 'null', wanted: documented(of) }]
    return unfitIn(of, item, place)
  })
}

const ofObject = (fields: Fields, raw: unknown, at: string, problems: AnswerFault[]): Values => {
  if (!isObject(raw)) {
    refuse(raw, 'object', at, problems)
    return {}
  }
  const byWire = new Map(Object.entries(fields).map(([name, field]) => [field.wire ?? name, { name, field }]))
  const taken = new Set(Object.keys(fields))
  const entries = Object.entries(raw).flatMap(([wire, value]): [string, unknown][] => {
    const known = byWire.get(wire)
    // A field of the service that has the name we give to another field would hide that one.
    if (known === undefined) return taken.has(wire) ? [] : [[wire, value]]
    return [[known.name, ofField(known.field, value, `${at === '' ? '' : `${at}.`}${wire}`, problems)]]
  })
  return Object.fromEntries(entries)
}

const ofField = (field: Field, raw: unknown, at: string, problems: AnswerFault[]): unknown =>
  ofType(field.type, field.decode === undefined ? raw : field.decode(raw, {}).value, at, problems)

const ofType = (type: FieldType, raw: unknown, at: string, problems: AnswerFault[]): unknown => {
  // The specification says of some fields that they can be null, and of none that they cannot.
  if (raw === null || type.is === 'json') return raw
  if (type.is === 'object') return ofObject(type.fields, raw, at, problems)
  if (type.is === 'set' || type.is === 'list')
    return Array.isArray(raw)
      ? raw.map((item: unknown, index) => ofType(type.of, item, `${at}[${String(index)}]`, problems))
      : refuse(raw, 'list', at, problems)
  const wanted = documented(type)
  return shapeOf(raw) === wanted ? raw : refuse(raw, wanted, at, problems)
}

const documented = (type: FieldType): JsonShape => {
  if (type.is === 'object') return type.is
  if (type.is === 'boolean') return type.is
  return type.is === 'integer' || type.is === 'number' ? 'number' : 'text'
}

const SHAPES: Partial<Record<string, JsonShape>> = { boolean: 'boolean', number: 'number', string: 'text' }

const shapeOf = (value: unknown): JsonShape => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : (SHAPES[typeof value] ?? 'object')
}

/** Reports the shape and not the value, which could be a secret. */
const refuse = (raw: unknown, wanted: JsonShape, at: string, problems: AnswerFault[]): undefined => {
  problems.push({ fault: 'wrong-shape', at, is: shapeOf(raw), wanted })
  return undefined
}
