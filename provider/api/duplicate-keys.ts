interface DuplicateKey {
  /** The key with its escapes decoded. */
  readonly key: string
  /** Index in the text at which its second occurrence begins. */
  readonly offset: number
}

interface Level {
  /** Keys found so far; undefined for an array. */
  readonly keys: Set<string> | undefined
  /** Whether the next string is a key. */
  expectsKey: boolean
}

/**
 * The first key that occurs twice in one object of a JSON text. `JSON.parse` keeps the last value, so two readers
 * could understand one document differently. Keys are compared after decoding: `"a"` is `"\u0061"`.
 * @param text valid JSON; for other text the result means nothing
 */
export const findDuplicateKey = (text: string): DuplicateKey | undefined => {
  // An explicit stack, so that deep nesting costs memory and no call frames.
  const levels: Level[] = []
  for (let index = 0; index < text.length; index++) {
    const level = levels.at(-1)
    switch (text[index]) {
      case '{':
        levels.push({ keys: new Set(), expectsKey: true })
        break
      case '[':
        levels.push({ keys: undefined, expectsKey: false })
        break
      case '}':
      case ']':
        levels.pop()
        break
      case ',':
        if (level?.keys !== undefined) level.expectsKey = true
        break
      case '"': {
        const end = endOfString(text, index)
        if (level?.keys !== undefined && level.expectsKey) {
          level.expectsKey = false
          const key = decoded(text.slice(index, end + 1))
          if (level.keys.has(key)) return { key, offset: index }
          level.keys.add(key)
        }
        index = end
        break
      }
    }
  }
  return undefined
}

const endOfString = (text: string, start: number): number => {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === '"') return index
  }
  return text.length
}

const decoded = (literal: string): string => {
  if (!literal.includes('\\')) return literal.slice(1, -1)
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal
  }
}
