import { boolCoreTag, floatCoreTag, intCoreTag, NOT_RESOLVED, nullCoreTag } from 'js-yaml'

/** The value of a plain scalar by YAML 1.2's core schema; an instant stays text. */
export const resolved = (text: string): string | number | boolean | null => {
  // Most scalars are words, and cannot be anything else.
  if (IS_WORD[text.charCodeAt(0)] === true) return text
  for (const tag of [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag]) {
    const value: unknown = tag.resolve(text, false, tag.tagName)
    if (value !== NOT_RESOLVED) return value as number | boolean | null
  }
  return text
}

/** By the first character, below 128: numbers, `null` and what is true or false begin with others. */
const IS_WORD = Array.from({ length: 128 }, (_, unit) => !/[-+.~\dnNtTfF]/.test(String.fromCharCode(unit)))
