import { DEEPEST } from './json-depth.ts'

/**
 * Whether a JSON text has no duplicate key in any object and is nested no deeper than anything documented. It misses
 * neither: each member of an object has one colon, and two members with one key are one in the parsed value. Far
 * cheaper than finding the place, which `findDuplicateKey` and `findTooDeep` do if there is one.
 * @param bytes valid JSON in UTF-8, which takes half as long to scan as its text; for other bytes the result means
 * nothing
 * @param value what `JSON.parse` returns for it
 */
export const isSoundJson = (bytes: Uint8Array, value: unknown): boolean => soundnessOf(bytes)(value)

/** The same in two steps: the bytes are scanned at once, and no longer needed when the value is there. */
export const soundnessOf = (bytes: Uint8Array): ((value: unknown) => boolean) => {
  const members = membersOf(bytes)
  return (value) => members !== undefined && members === keysIn(value)
}

const [QUOTE, COLON, BACKSLASH] = [0x22, 0x3a, 0x5c]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The number of members of all objects in a text; undefined if it is nested too deeply. */
const membersOf = (bytes: Uint8Array): number | undefined => {
  const { length } = bytes
  let members = 0
  let depth = 0
  for (let index = 0; index < length; index++) {
    const unit = bytes[index]
    if (unit === QUOTE) {
      for (index++; index < length; index++) {
        const within = bytes[index]
        if (within === QUOTE) break
        if (within === BACKSLASH) index++
      }
    } else if (unit === COLON) members++
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      depth++
      if (depth > DEEPEST) return undefined
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--
  }
  return members
}

/** Parsed objects have only own keys, so these need not be listed first. */
const keysIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  let keys = 0
  if (Array.isArray(value)) {
    for (const each of value as unknown[]) if (typeof each === 'object') keys += keysIn(each)
    return keys
  }
  for (const key in value) {
    const each: unknown = value[key as keyof typeof value]
    keys += typeof each === 'object' ? 1 + keysIn(each) : 1
  }
  return keys
}
