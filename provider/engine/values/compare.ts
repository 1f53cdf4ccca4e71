import { Address4, Address6 } from 'ip-address'
import type { KindDefinition } from '../../core/definition.ts'
import type { Field, Fields, FieldType } from '../../core/field.ts'
import { parseInstant } from '../../core/instant.ts'
import { textOf, type Values } from '../../core/values.ts'
import type { Element } from '../reason.ts'
import type { FieldChange } from './model.ts'

/** Whether two texts are one name: a service may spell it with other capitals. */
export const isSameName = (a: unknown, b: unknown): boolean =>
  textOf(a).toLowerCase() === textOf(b).toLowerCase()

/**
 * Whether values are equal by meaning: instants as instants, sets as sets, addresses as blocks. What a type does not
 * know is ignored. Without a field, only identical values are.
 */
export const same = (field: Field | undefined, a: unknown, b: unknown): boolean =>
  a === b || (field !== undefined && canonicalText(field.type, a) === canonicalText(field.type, b))

/** The named fields that differ by meaning; a field that `after` leaves out is not compared. */
export const differing = (
  { fields }: Pick<KindDefinition, 'fields'>,
  names: readonly string[],
  before: Values,
  after: Values,
): readonly FieldChange[] => {
  let found: FieldChange[] | undefined
  for (const name of names) {
    const field = fields[name]
    if (field === undefined || after[name] === undefined || same(field, before[name], after[name])) continue
    found ??= []
    found.push({ path: name, before: before[name] ?? null, after: after[name] })
  }
  return found ?? NONE
}

/** The values of these fields before or after the change. */
export const valuesOf = (fields: readonly FieldChange[], side: 'before' | 'after'): Values =>
  Object.fromEntries(fields.map((field) => [field.path, field[side]]))
/** Shared by all comparisons without a difference, which are most. */
const NONE: readonly FieldChange[] = []

/** Whether an element is lost or a value gets narrower, which `protect` refuses. */
export const narrows = (field: Field, before: unknown, after: unknown): boolean => {
  if (field.type.is === 'set') return missingFrom(field, before, after).length > 0
  if (field.type.is === 'boolean') return before === true && after === false
  if (field.type.is !== 'instant' || field.narrowing === undefined) return false
  const moved = parseInstant(textOf(after)) - parseInstant(textOf(before))
  return field.narrowing === 'earlier' ? moved < 0 : moved > 0
}

/** Elements of `before` that are not in `after`, by meaning. */
export const missingFrom = (field: Field, before: unknown, after: unknown): unknown[] => {
  const of: FieldType = field.type.is === 'set' ? field.type.of : field.type
  const kept = new Set(asArray(after).map((item) => canonicalText(of, item)))
  return asArray(before).filter((item) => !kept.has(canonicalText(of, item)))
}

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const canonicalText = (type: FieldType, value: unknown): string =>
  JSON.stringify(canonical(type, value)) ?? 'null'

/** The canonical form of a value, which is the same for all spellings of one meaning; JSON data. */
export const canonical = (type: FieldType, value: unknown): unknown => {
  if (value === undefined || value === null) return null
  switch (type.is) {
    case 'instant':
      return parseInstant(textOf(value))
    case 'cidr':
      return canonicalBlock(textOf(value))
    case 'set':
      return [...new Set(asArray(value).map((item) => canonicalText(type.of, item)))].toSorted()
    case 'list':
      return asArray(value).map((item) => canonical(type.of, item))
    case 'object':
      return canonicalObject(type.fields, value as Values)
    case 'secret':
      return null
    default:
      return value
  }
}

const canonicalObject = (fields: Fields, value: Values): unknown =>
  Object.entries(fields)
    .filter(([, { redundantFor }]) => redundantFor?.(value) !== true)
    .map(([name, field]) => [name, canonical(field.type, value[name])] as const)
    // An empty list within an object says as little as none.
    .filter(([, known]) => known !== null && !(Array.isArray(known) && known.length === 0))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

/** The network in its shortest spelling; a single address is a block of one. Other text stays as it is. */
const canonicalBlock = (text: string): string => {
  try {
    const block = text.includes(':') ? new Address6(text) : new Address4(text)
    return `${block.startAddress().correctForm()}/${String(block.subnetMask)}`
  } catch {
    return text
  }
}

/** An element in the form that reasons use. */
export const elementOf =
  (field: Field | undefined) =>
  (value: unknown): Element => {
    const type = field?.type
    const of = type?.is === 'set' ? type.of : type
    if (of === undefined) return textOf(value)
    if (of.is !== 'object') return String(value)
    const parts = Object.keys(of.fields).map((name) => [name, (value as Values)[name]] as const)
    return Object.fromEntries(
      parts.flatMap(([name, part]) => (part === undefined ? [] : [[name, textOf(part)]])),
    )
  }
