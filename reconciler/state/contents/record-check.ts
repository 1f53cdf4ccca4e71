import {
  isNone,
  mapValues,
  pickBy,
  type Fields,
  type FieldType,
  type KindDefinition,
} from '@deploymgmt/provider/core'
import { isId } from '@deploymgmt/provider/core/check'
import type { RecordedResource } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  anything,
  expecting,
  flag,
  listOf,
  optional,
  orNull,
  shapeOf,
  text,
  type Check,
  type Fault,
} from '../../disk/check.ts'

/**
 * Checks a record against the definition of its kind. A state can be edited by hand, and only here is the place of a
 * mistake known. A record of an unknown kind is kept as it is.
 */
export const ofItsKind: Check<RecordedResource> = (record, at) => {
  const { kind } = record as RecordedResource
  return checks.get(kind)?.(record, at)
}

const id = expecting<string>('an id', isId)
const number = expecting<number>('a number', (value) => typeof value === 'number')

/** A check of any type: the definition decides at run time which one it is. */
type Look = (value: unknown, at: string) => Fault | undefined

const checkOf = (type: FieldType): Look => {
  switch (type.is) {
    case 'boolean':
      return flag
    case 'integer':
    case 'number':
      return number
    case 'id':
      return id
    case 'json':
    case 'secret':
      return anything
    case 'set':
    case 'list':
      return listOf(checkOf(type.of))
    case 'object':
      return valuesOf(type.fields)
    default:
      return text
  }
}

const valuesOf = (fields: Fields): Look => shapeOf(optionalOf(fields))

const optionalOf = (fields: Fields) => mapValues(fields, ({ type }) => optional(checkOf(type)))

/**
 * Checks that the place and the required fields of the entry were applied. An optional field is not checked, because
 * leaving it out looks the same as its removal by hand; nor is a date, which a record loses while a lost answer
 * leaves it open.
 */
const appliedOf = ({ identity: { scope }, fields, lifetime }: KindDefinition): Look => {
  const open = isNone(lifetime) ? [] : lifetime.dates
  const always = pickBy(fields, ({ need }, name) => need === 'always' && !open.includes(name))
  const places = Object.fromEntries(scope.map((name) => [name, id]))
  return shapeOf({ ...optionalOf(fields), ...mapValues(always, ({ type }) => checkOf(type)), ...places })
}

const checks = new Map(
  kinds.map((definition) => {
    const { kind, fields } = definition
    const { scope, key } = definition.identity
    const values = valuesOf(fields)
    const identity = { ...Object.fromEntries(scope.map((name) => [name, id])), [key]: optional(id) }
    const check: Look = shapeOf({
      identity: shapeOf(identity),
      applied: appliedOf(definition),
      answer: orNull(values),
      adopted: orNull(values),
      leftover: optional(values),
    })
    return [kind, check] as const
  }),
)
