import {
  camelToSnake,
  snakeToCamel,
  textOf,
  type Fields,
  type FieldType,
  type Values,
} from '../../core/index.ts'
import { UNKNOWN, type TerraformValue, type TerraformObject } from '../wire/value.ts'

/** Attribute values as a definition's values: by the fields' names; null, unknown and what is no field are left out. */
export const toValues = (fields: Fields, object: TerraformObject): Values =>
  Object.fromEntries(
    Object.entries(object).flatMap(([attribute, value]) => {
      const name = snakeToCamel(attribute)
      const field = fields[name]
      return field === undefined || value === null || value === UNKNOWN
        ? []
        : [[name, toValue(field.type, value)]]
    }),
  )

const toValue = (type: FieldType, value: TerraformValue): unknown => {
  if ((type.is === 'set' || type.is === 'list') && Array.isArray(value))
    return value.filter((item) => item !== null).map((item) => toValue(type.of, item))
  if (type.is === 'object') return toValues(type.fields, value as TerraformObject)
  if (type.is === 'json') return JSON.parse(textOf(value)) as unknown
  return typeof value === 'object' ? Number(value) : value
}

/** A definition's values as attribute values, for the attributes named; what is not there is null. */
export const toAttributes = (fields: Fields, values: Values): Record<string, TerraformValue> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      camelToSnake(name),
      toAttribute(field.type, values[name]),
    ]),
  )

export const toAttribute = (type: FieldType, value: unknown): TerraformValue => {
  if (value === undefined || value === null) return null
  switch (type.is) {
    case 'set':
    case 'list':
      return Array.isArray(value) ? value.map((item) => toAttribute(type.of, item)) : null
    case 'object':
      return toAttributes(type.fields, value as Values)
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'integer':
    case 'number':
      return typeof value === 'number' ? value : null
    case 'secret':
      return null
    case 'json':
      return JSON.stringify(value)
    default:
      return textOf(value)
  }
}
