/** Reads and writes the protocol's DynamicValues by type. MessagePack is written; JSON is read as well. */
import { Decoder, Encoder, ExtData, ExtensionCodec } from '@msgpack/msgpack'
import { mapValues } from '../../core/values.ts'
import type { DynamicValue, RawState } from './common-messages.ts'
import { isPlain, type CtyType } from './cty-type.ts'
import { type Path, describe, isRecord, mismatch } from './mismatch.ts'
import { readValue } from './read-value.ts'
import { UNKNOWN, type TerraformValue, type TerraformObject } from './value.ts'

/** The value in a message; an absent one is null. */
export const decodeDynamicValue = (value: DynamicValue | undefined, type: CtyType): TerraformValue => {
  if (value?.msgpack !== undefined && value.msgpack.length > 0)
    return readValue(decoder.decode(value.msgpack), type, { strict: true })
  if (value?.json !== undefined && value.json.length > 0)
    return readValue(parse(value.json), type, { strict: true })
  return null
}

/** Whether a message contains null, whatever its type is. */
export const isNull = (value: DynamicValue | undefined): boolean => {
  if (value?.msgpack !== undefined && value.msgpack.length > 0) return decoder.decode(value.msgpack) === null
  return value?.json === undefined || value.json.length === 0 || parse(value.json) === null
}

/** The message for a value. An attribute that is omitted or undefined is written as null. */
export const encodeDynamicValue = (value: TerraformValue, type: CtyType): DynamicValue => ({
  msgpack: encoder.encode(toMsgpack(value, type, [])),
})

/**
 * Converts stored state to the present type: an attribute that the state lacks is null, one that the type lacks is
 * dropped. That is the upgrade from every earlier schema that only added or removed attributes.
 */
export const decodeRawState = (state: RawState | undefined, type: CtyType): TerraformValue =>
  state === undefined || state.json.length === 0
    ? null
    : readValue(parse(state.json), type, { strict: false })

const parse = (content: Uint8Array): unknown => JSON.parse(Buffer.from(content).toString('utf8'))

// Terraform sends a plain unknown as extension 0 and a refined one as extension 12; both mean "not known yet".
const unknownExtension = new ExtData(0, new Uint8Array(1))

const extensionCodec = { tryToEncode: () => null, decode: () => UNKNOWN } as unknown as ExtensionCodec

// Both are reusable, even after a value that they refuse; encoded values are copies.
const decoder = new Decoder({ extensionCodec })
const encoder = new Encoder()

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
    default:
      return compoundToMsgpack(value, type, path)
  }
}

/** Safe integers stay numbers; any other number becomes text, so that `0.1` is a tenth for Terraform too. */
const numberToMsgpack = (value: TerraformValue, path: Path): unknown => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return mismatch(path, 'a number', value)
  return Number.isSafeInteger(value) ? value : String(value)
}

const compoundToMsgpack = (value: TerraformValue, type: Exclude<CtyType, string>, path: Path): unknown => {
  switch (type[0]) {
    case 'list':
    case 'set':
      if (!isArray(value)) return mismatch(path, `a ${type[0]}`, value)
      return value.map((element, index) => partToMsgpack(element, type[1], path, index))
    case 'map':
      if (!isRecord<TerraformValue>(value)) return mismatch(path, 'a map', value)
      return mapValues(value, (element, key) => partToMsgpack(element, type[1], path, key))
    case 'object':
      if (!isRecord<TerraformValue>(value)) return mismatch(path, 'an object', value)
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
  const parts: Record<string, unknown> = {}
  for (const [name, of] of Object.entries(types))
    parts[name] = partToMsgpack(Object.hasOwn(value, name) ? value[name] : null, of, path, name)
  return parts
}

const partToMsgpack = (
  value: TerraformValue | undefined,
  type: CtyType,
  path: Path,
  step: string | number,
): unknown => (isPlain(value, type) ? value : toMsgpack(value, type, [...path, step]))

const isArray = (value: TerraformValue): value is readonly TerraformValue[] => Array.isArray(value)
