import type { Field, Fields, FieldType } from '../../core/field.ts'
import type { Values } from '../../core/values.ts'

/** One item of an answer, and what in it has another shape than documented. */
export interface ReadItem {
  readonly values: Values
  readonly problems: readonly string[]
}

/**
 * An item by the definition's names. What the definition does not know is kept as it is: a newer service
 * may tell more. What it does know has to have the documented shape, or nothing, or null.
 */
export const readItem = (fields: Fields, raw: unknown, at: string): ReadItem => {
  const problems: string[] = []
  return { values: ofObject(fields, raw, at, problems), problems }
}

/** What in a value has another shape than its type documents. */
export const problemsOf = (type: FieldType, raw: unknown, at: string): string[] => {
  const problems: string[] = []
  ofType(type, raw, at, problems)
  return problems
}

const ofObject = (fields: Fields, raw: unknown, at: string, problems: string[]): Values => {
  if (!isObject(raw)) {
    refuse(raw, 'an object', at, problems)
    return {}
  }
  const byWire = new Map(Object.entries(fields).map(([name, field]) => [field.wire ?? name, { name, field }]))
  const taken = new Set(Object.keys(fields))
  const entries = Object.entries(raw).flatMap(([wire, value]): [string, unknown][] => {
    const known = byWire.get(wire)
    // A field of the service's that has the name we give to another one would hide it.
    if (known === undefined) return taken.has(wire) ? [] : [[wire, value]]
    return [[known.name, ofField(known.field, value, `${at === '' ? '' : `${at}.`}${wire}`, problems)]]
  })
  return Object.fromEntries(entries)
}

const ofField = (field: Field, raw: unknown, at: string, problems: string[]): unknown =>
  ofType(field.type, field.decode === undefined ? raw : field.decode(raw, {}).value, at, problems)

const ofType = (type: FieldType, raw: unknown, at: string, problems: string[]): unknown => {
  // The specification says of some fields that they can be null, and of none that they cannot.
  if (raw === null || type.is === 'json') return raw
  if (type.is === 'object') return ofObject(type.fields, raw, at, problems)
  if (type.is === 'set' || type.is === 'list')
    return Array.isArray(raw)
      ? raw.map((item: unknown, index) => ofType(type.of, item, `${at}[${String(index)}]`, problems))
      : refuse(raw, 'a list', at, problems)
  const wanted = documented(type)
  return kindOf(raw) === wanted ? raw : refuse(raw, wanted, at, problems)
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const documented = (type: FieldType): string => {
  if (type.is === 'boolean') return 'true or false'
  return type.is === 'integer' || type.is === 'number' ? 'a number' : 'text'
}

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  const kinds: Partial<Record<string, string>> = {
    boolean: 'true or false',
    number: 'a number',
    string: 'text',
  }
  return kinds[typeof value] ?? 'an object'
}

/** Says what is there and not what it holds: it could be a secret. */
const refuse = (raw: unknown, wanted: string, at: string, problems: string[]): undefined => {
  problems.push(`${at === '' ? 'the answer' : at} is ${kindOf(raw)} and not ${wanted}`)
  return undefined
}
