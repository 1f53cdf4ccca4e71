import {
  isNone,
  mapValues,
  pickBy,
  type Fields,
  type FieldType,
  type KindDefinition,
} from '@deploymgmt/provider/core'
import { isId } from '@deploymgmt/provider/core/check'
import { isToldByEvents, type Made, type RecordedResource } from '@deploymgmt/provider/engine'
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
 * What the definition of its kind asks of a record: a state can be edited by hand, and what is wrong in it is told
 * here, where its place is known. A kind that is not known is kept as it is.
 */
export const ofItsKind: Check<RecordedResource> = (record, at) => {
  const { kind } = record as RecordedResource
  return checks.get(kind)?.(record, at)
}

const id = expecting<string>('an id', isId)
const number = expecting<number>('a number', (value) => typeof value === 'number')

/** A check of whatever type: which one follows from a definition, and not from the compiler. */
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
 * What every entry declares, and its place, was applied. A field that may be left out cannot be told from one that
 * was taken away by hand, nor can a date, which a record loses while a lost answer leaves it open.
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

/** What stays known of a thing once it is recorded no longer, where events alone tell that it is there. */
export const knownOf = ({
  kind,
  identity,
  applied,
  lastWrite,
  watermark,
}: RecordedResource): Made | undefined => {
  const definition = told.get(kind)
  if (definition === undefined) return undefined
  const { lifetime } = definition
  const end = isNone(lifetime) ? undefined : applied[lifetime.endsAt]
  const at = lastWrite?.to ?? watermark
  return { kind, identity, at, ...(typeof end === 'string' ? { until: end } : {}) }
}

const told = new Map(kinds.filter(isToldByEvents).map((definition) => [definition.kind, definition]))
