import { boolCoreTag, floatCoreTag, intCoreTag, NOT_RESOLVED, nullCoreTag } from 'js-yaml'

/** The value of a plain scalar by YAML 1.2's core schema; an instant stays text. */
export const resolved = (text: string): string | number | boolean | null => {
  // Most scalars are words, and cannot be anything else.
  if (!/^(?:$|[-+.~\dnNtTfF])/.test(text)) return text
  for (const tag of [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag]) {
    const value: unknown = tag.resolve(text, false, tag.tagName)
    if (value !== NOT_RESOLVED) return value as number | boolean | null
  }
  return text
}
