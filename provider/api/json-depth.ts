/** Walking a value takes a call frame for each level; nothing documented comes near this depth. */
export const DEEPEST = 100

/**
 * The index at which a JSON text is nested deeper than anything documented; undefined if it is not.
 * @param text valid JSON; for other text the result means nothing
 */
export const findTooDeep = (text: string): number | undefined => {
  let depth = 0
  let isText = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') isText = !isText
    else if (isText) index += character === '\\' ? 1 : 0
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > DEEPEST) return index
  }
  return undefined
}

/** The same of a value that is parsed already. */
export const isTooDeep = (value: unknown, levels = DEEPEST): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isTooDeep(each, levels - 1)))
