import { textOf, type Attribute, type AttributeType, type Values } from '../../core/index.ts'
import { UNKNOWN, type TerraformObject, type TerraformValue } from '../wire/value.ts'
import type { Plain } from './plain.ts'

type Attributes = readonly Attribute[]

/** Converts an object from Terraform. */
export const decode = (attributes: Attributes, object: TerraformObject): Plain => {
  const unknown = new Set<string>()
  return { values: decodeObject(attributes, object, '', unknown), unknown }
}

const decodeObject = (
  attributes: Attributes,
  object: TerraformObject,
  before: string,
  unknown: Set<string>,
): Values => {
  const values: Record<string, unknown> = {}
  for (const { name, key, type } of attributes) {
    const value = decodeValue(type, object[name] ?? null, before + key, unknown)
    if (value !== null) values[key] = value
  }
  return values
}

const decodeValue = (
  type: AttributeType,
  value: TerraformValue,
  path: string,
  unknown: Set<string>,
): unknown => {
  if (value === UNKNOWN) unknown.add(path)
  if (value === UNKNOWN || value === null) return null
  switch (type.is) {
    case 'list':
    case 'set':
      return (value as readonly TerraformValue[]).map((item, index) =>
        decodeValue(type.of, item, `${path}.${index}`, unknown),
      )
    case 'map':
      return Object.fromEntries(
        Object.entries(value as TerraformObject).map(([key, item]) => [
          key,
          decodeValue(type.of, item, `${path}.${key}`, unknown),
        ]),
      )
    case 'object':
      return decodeObject(type.attributes, value as TerraformObject, `${path}.`, unknown)
    case 'json':
      return JSON.parse(textOf(value))
    default:
      return value
  }
}

/** Converts an object for Terraform. Write-only attributes become null: they are in no plan and no state. */
export const encode = (attributes: Attributes, { values, unknown }: Plain): TerraformObject =>
  encodeObject(attributes, values, '', unknown)

const encodeObject = (
  attributes: Attributes,
  values: Values,
  before: string,
  unknown: ReadonlySet<string>,
): TerraformObject => {
  const object: Record<string, TerraformValue> = {}
  for (const { name, key, type, writeOnly = false } of attributes)
    object[name] = writeOnly ? null : encodeValue(type, values[key], before + key, unknown)
  return object
}

const encodeValue = (
  type: AttributeType,
  value: unknown,
  path: string,
  unknown: ReadonlySet<string>,
): TerraformValue => {
  if (unknown.has(path)) return UNKNOWN
  if (value === undefined || value === null) return null
  switch (type.is) {
    case 'list':
    case 'set':
      return Array.isArray(value)
        ? value.map((item, index) => encodeValue(type.of, item, `${path}.${index}`, unknown))
        : null
    case 'map':
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          key,
          encodeValue(type.of, item, `${path}.${key}`, unknown),
        ]),
      )
    case 'object':
      return encodeObject(type.attributes, value as Values, `${path}.`, unknown)
    case 'bool':
      return typeof value === 'boolean' ? value : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'json':
      return JSON.stringify(value)
    case 'string':
      return textOf(value)
  }
}
