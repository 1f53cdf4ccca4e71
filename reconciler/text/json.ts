/**
 * Characters that JSON does not escape and that terminals or editors interpret: DEL and the C1 controls,
 * bidirectional controls, and separators that some readers treat as line breaks.
 */
// oxlint-disable-next-line no-control-regex
const OBEYED = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * JSON that is safe to look at; `indent` is spaces per level, one line by default. Such characters only occur inside
 * strings, so escaping keeps the value.
 */
export const toJson = (value: unknown, { indent = 0 }: { readonly indent?: number } = {}): string => {
  const text = JSON.stringify(value, null, indent) as string | undefined
  return safeJson(text ?? 'null')
}

/** The same for a text that is JSON already. */
export const safeJson = (text: string): string => text.replaceAll(OBEYED, escape)

/** JSON that is equal for equal values: keys are sorted. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => inOrder(each))

const inOrder = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
