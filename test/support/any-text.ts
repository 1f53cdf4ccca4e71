import * as fc from 'fast-check'

/** A skin, a family, a flag of letters and one of tags, a keycap, many accents, a syllable, a syllable of conjuncts. */
const CHARACTERS_OF_SEVERAL = [
  '\u{1F44D}\u{1F3FD}',
  '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  '\u{1F1E9}\u{1F1EA}',
  '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  '1\uFE0F\u20E3',
  'o\u0308\u0323\u0301'.padEnd(20, '\u0300'),
  '\u1112\u1161\u11AB',
  '\u0915\u094D\u0937\u093F',
]

/** What others may put into a text to be obeyed, to be misread or to break something. */
const HOSTILE_PARTS = [
  ...Array.from(
    '\0\u0007\b\t\n\r\u007F\u0085\u00AD\u061C\u180E\u200B\u200E\u200F\u2028\u2029\u202A\u202E\u2060\u2066\u2069',
  ),
  ...Array.from(
    '\u034F\u115F\u2800\u3164\uFE0F\uFFA0\u{E0100}\uFEFF\uFFFE\uFFFF\u{E0041}\u{1F6A7}\u0301é"\\\'`,{[<&$#|/ ',
  ),
  '\r\n',
  // Characters of several code points, which a cut can part.
  ...CHARACTERS_OF_SEVERAL,
  '\u001B[2J',
  '\u001B]0;title\u0007',
  '\u009B31m',
  ': ',
  '${',
  '%{',
  '..',
]
/** Half a character, which neither UTF-8 nor Terraform knows. */
const HALVES = ['\uD800', '\uDBFF', '\uDC00']
/** What every object of JavaScript has. */
const NAMES = ['__proto__', 'constructor', 'toString']
const LONG = ['x'.repeat(5000), '\u202E'.repeat(500)]

const partOf = (hostile: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
    { weight: 3, arbitrary: fc.constantFrom(...hostile) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.constantFrom(...NAMES) },
  )
const ANY_PART = partOf([...HOSTILE_PARTS, ...HALVES])
const SOUND_PART = partOf(HOSTILE_PARTS)

interface Limit {
  /** How many parts a text has at most; without a limit, some texts are long. */
  readonly maxLength?: number
}
const textOf = (unit: fc.Arbitrary<string>, { maxLength }: Limit): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.string(maxLength === undefined ? { unit } : { unit, maxLength }) },
    { weight: 1, arbitrary: fc.constantFrom(...NAMES, ...(maxLength === undefined ? LONG : [])) },
  )

/** Any text, hostile more often than not. */
export const anyText = (limit: Limit = {}): fc.Arbitrary<string> => textOf(ANY_PART, limit)

/** Any text that can be sent: without half characters. */
export const anyWellFormedText = (limit: Limit = {}): fc.Arbitrary<string> => textOf(SOUND_PART, limit)

/**
 * Without a backslash: after an object with one in a name, Node.js 24 reads a name with an escape of the next object as
 * that name (`{"a\\\\":1}`, then `{"a\\n":1}`).
 */
const safeName = (text: string): string => text.replaceAll('\\', '/')

/** Any name of a member. */
export const anyName = (limit: Limit = {}): fc.Arbitrary<string> => anyText(limit).map(safeName)

/** Any JSON value whose texts and names are like that; without a limit, some are nested deep. */
export const anyJson = (depth: { readonly maxDepth?: number } = {}): fc.Arbitrary<fc.JsonValue> => {
  const value = anyJsonOf(fc.jsonValue({ ...depth, stringUnit: ANY_PART })).map(withSafeNames)
  if (depth.maxDepth !== undefined) return value
  const deep = fc.tuple(value, fc.array(fc.boolean(), { minLength: 10, maxLength: 40 }))
  return fc.oneof(
    { weight: 9, arbitrary: value },
    { weight: 1, arbitrary: deep.map(([inmost, levels]) => nested(inmost, levels)) },
  )
}

/** The value in a list or an object on each level. */
const nested = (inmost: fc.JsonValue, levels: readonly boolean[]): fc.JsonValue =>
  levels.reduce<fc.JsonValue>((inner, isList) => (isList ? [inner] : { '': inner }), inmost)

const withSafeNames = (value: fc.JsonValue): fc.JsonValue => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withSafeNames)
  const members = Object.entries(value as Record<string, fc.JsonValue>)
  return Object.fromEntries(members.map(([name, member]) => [safeName(name), withSafeNames(member)]))
}

const anyJsonOf = (value: fc.Arbitrary<fc.JsonValue>): fc.Arbitrary<fc.JsonValue> =>
  fc.oneof(
    { weight: 9, arbitrary: value },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.constantFrom(...NAMES, '1'), value, { minKeys: 1, noNullPrototype: true }),
    },
  )
