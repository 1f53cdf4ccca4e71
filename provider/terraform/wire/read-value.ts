/** Reads values by type, whichever notation they came in. */
import { mapValues } from '../../core/values.ts'
import { isPlain, type CtyType } from './cty-type.ts'
import { type Path, isRecord, mismatch } from './mismatch.ts'
import { UNKNOWN, type TerraformValue } from './value.ts'

interface Reading {
  /** Whether an object must have exactly the attributes of its type. */
  readonly strict: boolean
}

/** Converts a decoded value to a value of its type. */
export const readValue = (raw: unknown, type: CtyType, reading: Reading, path: Path = []): TerraformValue => {
  if (raw === null || raw === undefined) return null
  if (raw === UNKNOWN) return UNKNOWN
  switch (type) {
    case 'string':
      return typeof raw === 'string' ? raw : mismatch(path, 'a string', raw)
    case 'bool':
      return typeof raw === 'boolean' ? raw : mismatch(path, 'a bool', raw)
    case 'number':
      return numberIn(raw) ?? mismatch(path, 'a number', raw)
    default:
      return readCompound(raw, type, reading, path)
  }
}

/**
 * A number that is no short binary fraction, such as a tenth, comes as text. One that is too large is infinite, and
 * is refused where its attribute is checked.
 */
const numberIn = (raw: unknown): number | undefined => {
  const number = typeof raw === 'string' ? Number(raw) : raw
  return typeof number === 'number' && !Number.isNaN(number) ? number : undefined
}

const readCompound = (
  raw: unknown,
  type: Exclude<CtyType, string>,
  reading: Reading,
  path: Path,
): TerraformValue => {
  switch (type[0]) {
    case 'list':
    case 'set':
      if (!Array.isArray(raw)) return mismatch(path, `a ${type[0]}`, raw)
      return raw.map((element, index) => readPart(element, type[1], reading, [path, index]))
    case 'map':
      if (!isRecord(raw)) return mismatch(path, 'a map', raw)
      return mapValues(raw, (element, key) => readPart(element, type[1], reading, [path, key]))
    case 'object':
      if (!isRecord(raw)) return mismatch(path, 'an object', raw)
      return readObject(raw, type[1], reading, path)
  }
}

const readObject = (
  raw: Readonly<Record<string, unknown>>,
  types: Readonly<Record<string, CtyType>>,
  reading: Reading,
  path: Path,
): TerraformValue => {
  const parts: Record<string, TerraformValue> = {}
  for (const [name, of] of Object.entries(types)) {
    const isThere = Object.hasOwn(raw, name)
    if (reading.strict && !isThere) return mismatch([...path, name], 'an attribute', undefined)
    parts[name] = readPart(isThere ? raw[name] : null, of, reading, [path, name])
  }
  return parts
}

const readPart = (
  raw: unknown,
  type: CtyType,
  reading: Reading,
  [path, step]: readonly [Path, string | number],
): TerraformValue =>
  isPlain(raw, type) ? (raw as TerraformValue) : readValue(raw, type, reading, [...path, step])
