/** DynamicValues of the protocol, read and written by a type. MessagePack is written; JSON is read as well. */
import { Decoder, Encoder, ExtData, ExtensionCodec } from '@msgpack/msgpack'
import { mapValues } from '../../core/values.ts'
import type { DynamicValue, RawState } from './common-messages.ts'
import { type CtyType, decodeCtyType, encodeCtyType } from './cty-type.ts'
import { Decimal, numberFromDouble, numberFromText, numberToText } from './decimal.ts'
import { fromJson } from './json-value.ts'
import { type Path, describe, isRecord, mismatch } from './mismatch.ts'
import { type Notation, readValue } from './read-value.ts'
import { Typed, UNKNOWN, type TerraformValue, type TerraformObject } from './value.ts'

/** The value that a message holds; an absent one is null. */
export const decodeDynamicValue = (value: DynamicValue | undefined, type: CtyType): TerraformValue => {
  if (value?.msgpack !== undefined && value.msgpack.length > 0)
    return readValue(decoder().decode(value.msgpack), type, fromMsgpack)
  if (value?.json !== undefined && value.json.length > 0) return fromJson(value.json, type, { strict: true })
  return null
}

/** The message for a value. An attribute that is left out, or undefined, is written as null. */
export const encodeDynamicValue = (value: TerraformValue, type: CtyType): DynamicValue => ({
  msgpack: new Encoder().encode(toMsgpack(value, type, [])),
})

/**
 * Stored state by the present type: an attribute that the state lacks is null, one that the type lacks is
 * dropped. That is the upgrade from every earlier schema that only added or removed attributes.
 */
export const decodeRawState = (state: RawState | undefined, type: CtyType): TerraformValue => {
  if (state === undefined || state.json.length === 0) return null
  return fromJson(state.json, type, { strict: false })
}

// Terraform sends a plain unknown as extension 0 and a refined one as extension 12; both say: not known yet.
const unknownExtension = new ExtData(0, new Uint8Array(1))

const decoder = (): Decoder => {
  const extensionCodec = {
    tryToEncode: () => null,
    decode: () => UNKNOWN,
  } as unknown as ExtensionCodec
  return new Decoder({ extensionCodec, useBigInt64: true })
}

const fromMsgpack: Notation = {
  strict: true,
  numberIn: (raw) => {
    if (typeof raw === 'number') return numberFromDouble(raw)
    if (typeof raw === 'bigint') return numberFromText(raw.toString())
    return typeof raw === 'string' ? numberFromText(raw) : undefined
  },
  typedIn: (raw) =>
    Array.isArray(raw) && raw[0] instanceof Uint8Array
      ? { type: decodeCtyType(raw[0]), raw: raw[1] as unknown }
      : undefined,
}

const toMsgpack = (value: TerraformValue | undefined, type: CtyType, path: Path): unknown => {
  if (value === null || value === undefined) return null
  if (value === UNKNOWN) return unknownExtension
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : mismatch(path, 'a string', value)
    case 'bool':
      return typeof value === 'boolean' ? value : mismatch(path, 'a bool', value)
    case 'number':
      return numberToMsgpack(value, path)
    case 'dynamic':
      if (!(value instanceof Typed)) return mismatch(path, 'a value with its type', value)
      return [encodeCtyType(value.type), toMsgpack(value.value, value.type, path)]
    default:
      return compoundToMsgpack(value, type, path)
  }
}

/** Integers of a double as they are; any other number as text, which Terraform reads without rounding. */
const numberToMsgpack = (value: TerraformValue, path: Path): unknown => {
  if (value instanceof Decimal) return value.text
  if (typeof value !== 'number' || Number.isNaN(value)) return mismatch(path, 'a number', value)
  return Number.isSafeInteger(value) || !Number.isFinite(value) ? value : numberToText(value)
}

const compoundToMsgpack = (value: TerraformValue, type: Exclude<CtyType, string>, path: Path): unknown => {
  switch (type[0]) {
    case 'list':
    case 'set':
      if (!isArray(value)) return mismatch(path, `a ${type[0]}`, value)
      return value.map((element, index) => toMsgpack(element, type[1], [...path, index]))
    case 'tuple':
      if (!isArray(value) || value.length !== type[1].length)
        return mismatch(path, `a tuple of ${String(type[1].length)}`, value)
      return type[1].map((of, index) => toMsgpack(value[index], of, [...path, index]))
    case 'map':
      if (!isObject(value)) return mismatch(path, 'a map', value)
      return mapValues(value, (element, key) => toMsgpack(element, type[1], [...path, key]))
    case 'object':
      if (!isObject(value)) return mismatch(path, 'an object', value)
      return objectToMsgpack(value, type[1], path)
  }
}

const objectToMsgpack = (
  value: TerraformObject,
  types: Readonly<Record<string, CtyType>>,
  path: Path,
): unknown => {
  for (const name of Object.keys(value))
    if (!Object.hasOwn(types, name))
      throw new TypeError(`${describe([...path, name])}: the schema has no such attribute.`)
  return mapValues(types, (of, name) =>
    toMsgpack(Object.hasOwn(value, name) ? value[name] : null, of, [...path, name]),
  )
}

const isArray = (value: TerraformValue): value is readonly TerraformValue[] => Array.isArray(value)

const isObject = (value: TerraformValue): value is TerraformObject =>
  isRecord(value) && !(value instanceof Decimal) && !(value instanceof Typed)
