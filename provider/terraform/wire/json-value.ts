/** Values in Terraform's JSON form: stored state, and DynamicValues of hosts that send JSON. */
import { type CtyType, decodeCtyType } from './cty-type.ts'
import { type CtyNumber, Decimal, numberFromText } from './decimal.ts'
import { type Path, isRecord, mismatch } from './mismatch.ts'
import { Typed, type TerraformValue } from './value.ts'

/** JSON whose numbers are kept to the last digit. */
export const parseExactJson = (content: Uint8Array): unknown => {
  const parse = JSON.parse as (
    text: string,
    revive: (key: string, value: unknown, context?: { source?: string }) => unknown,
  ) => unknown
  return parse(Buffer.from(content).toString('utf8'), (_key, value, context) =>
    typeof value === 'number' ? numberFromText(context?.source ?? String(value)) : value,
  )
}

interface Options {
  /** Whether an object must have exactly the attributes of its type. */
  readonly strict: boolean
}

/** The value of a type that parsed JSON says. */
export const fromJson = (raw: unknown, type: CtyType, options: Options, path: Path = []): TerraformValue => {
  if (raw === null || raw === undefined) return null
  switch (type) {
    case 'string':
      return typeof raw === 'string' ? raw : mismatch(path, 'a string', raw)
    case 'bool':
      return typeof raw === 'boolean' ? raw : mismatch(path, 'a bool', raw)
    case 'number':
      return numberFromJson(raw, path)
    case 'dynamic':
      return typedFromJson(raw, options, path)
    default:
      return compoundFromJson(raw, type, options, path)
  }
}

const numberFromJson = (raw: unknown, path: Path): CtyNumber => {
  if (typeof raw === 'number' || raw instanceof Decimal) return raw
  return typeof raw === 'string' ? numberFromText(raw) : mismatch(path, 'a number', raw)
}

const typedFromJson = (raw: unknown, options: Options, path: Path): TerraformValue => {
  if (!isRecord(raw) || !Object.hasOwn(raw, 'type')) return mismatch(path, 'a value with its type', raw)
  const type = decodeCtyType(Buffer.from(JSON.stringify(raw['type'])))
  return new Typed(type, fromJson(raw['value'], type, options, path))
}

const compoundFromJson = (
  raw: unknown,
  type: Exclude<CtyType, string>,
  options: Options,
  path: Path,
): TerraformValue => {
  switch (type[0]) {
    case 'list':
    case 'set':
      if (!Array.isArray(raw)) return mismatch(path, `a ${type[0]}`, raw)
      return raw.map((element, index) => fromJson(element, type[1], options, [...path, index]))
    case 'tuple':
      if (!Array.isArray(raw) || raw.length !== type[1].length)
        return mismatch(path, `a tuple of ${String(type[1].length)}`, raw)
      return type[1].map((of, index) => fromJson(raw[index], of, options, [...path, index]))
    case 'map':
      if (!isRecord(raw) || raw instanceof Decimal) return mismatch(path, 'a map', raw)
      return Object.fromEntries(
        Object.entries(raw).map(([key, element]) => [
          key,
          fromJson(element, type[1], options, [...path, key]),
        ]),
      )
    case 'object':
      if (!isRecord(raw) || raw instanceof Decimal) return mismatch(path, 'an object', raw)
      return objectFromJson(raw, type[1], options, path)
  }
}

const objectFromJson = (
  raw: Record<string, unknown>,
  types: Readonly<Record<string, CtyType>>,
  options: Options,
  path: Path,
): TerraformValue =>
  Object.fromEntries(
    Object.entries(types).map(([name, of]) => {
      if (options.strict && !Object.hasOwn(raw, name))
        return mismatch([...path, name], 'an attribute', undefined)
      return [name, fromJson(Object.hasOwn(raw, name) ? raw[name] : null, of, options, [...path, name])]
    }),
  )
