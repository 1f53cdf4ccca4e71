/** Values of a type, whichever notation they came in. */
import { mapValues } from '../../core/values.ts'
import type { CtyType } from './cty-type.ts'
import { type CtyNumber, Decimal } from './decimal.ts'
import { type Path, isRecord, mismatch } from './mismatch.ts'
import { Typed, UNKNOWN, type TerraformValue } from './value.ts'

/** What MessagePack and JSON have each in its own way; undefined where it is none. */
export interface Notation {
  readonly numberIn: (raw: unknown) => CtyNumber | undefined
  readonly typedIn: (raw: unknown) => { readonly type: CtyType; readonly raw: unknown } | undefined
  /** Whether an object must have exactly the attributes of its type. */
  readonly strict: boolean
}

/** The value of a type that something decoded says. */
export const readValue = (
  raw: unknown,
  type: CtyType,
  notation: Notation,
  path: Path = [],
): TerraformValue => {
  if (raw === null || raw === undefined) return null
  if (raw === UNKNOWN) return UNKNOWN
  switch (type) {
    case 'string':
      return typeof raw === 'string' ? raw : mismatch(path, 'a string', raw)
    case 'bool':
      return typeof raw === 'boolean' ? raw : mismatch(path, 'a bool', raw)
    case 'number':
      return notation.numberIn(raw) ?? mismatch(path, 'a number', raw)
    case 'dynamic': {
      const typed = notation.typedIn(raw) ?? mismatch(path, 'a value with its type', raw)
      return new Typed(typed.type, readValue(typed.raw, typed.type, notation, path))
    }
    default:
      return readCompound(raw, type, notation, path)
  }
}

const readCompound = (
  raw: unknown,
  type: Exclude<CtyType, string>,
  notation: Notation,
  path: Path,
): TerraformValue => {
  switch (type[0]) {
    case 'list':
    case 'set':
      if (!Array.isArray(raw)) return mismatch(path, `a ${type[0]}`, raw)
      return raw.map((element, index) => readValue(element, type[1], notation, [...path, index]))
    case 'tuple':
      if (!Array.isArray(raw) || raw.length !== type[1].length)
        return mismatch(path, `a tuple of ${String(type[1].length)}`, raw)
      return type[1].map((of, index) => readValue(raw[index], of, notation, [...path, index]))
    case 'map':
      if (!isRecord(raw) || raw instanceof Decimal) return mismatch(path, 'a map', raw)
      return mapValues(raw, (element, key) => readValue(element, type[1], notation, [...path, key]))
    case 'object':
      if (!isRecord(raw) || raw instanceof Decimal) return mismatch(path, 'an object', raw)
      return mapValues(type[1], (of, name) => {
        const isThere = Object.hasOwn(raw, name)
        if (notation.strict && !isThere) return mismatch([...path, name], 'an attribute', undefined)
        return readValue(isThere ? raw[name] : null, of, notation, [...path, name])
      })
  }
}
