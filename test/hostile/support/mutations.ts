import * as fc from 'fast-check'

/** A way to corrupt a text; `at` is the position, from 0 to 1, and `by` selects one of several variants. */
export interface Mutation {
  readonly way: string
  readonly at: number
  readonly by: number
}
type Spoil = (text: string, at: number, by: number) => string
export type Ways = Readonly<Record<string, Spoil>>

/** Ways in `often` are chosen four times as often. */
export const mutationsOf = (ways: Ways, most: number, often: Ways = {}): fc.Arbitrary<Mutation[]> =>
  fc.array(
    fc.record({
      way: fc.constantFrom(...Object.keys(ways), ...[1, 2, 3].flatMap(() => Object.keys(often))),
      // Random doubles would nearly always be close to 0.
      at: fc.nat(9999).map((part) => part / 10_000),
      by: fc.nat(999),
    }),
    { minLength: 1, maxLength: most },
  )

/** The text after all mutations, one after the other. */
export const mutated = (text: string, ways: Ways, mutations: readonly Mutation[]): string =>
  mutations.reduce((spoilt, { way, at, by }) => ways[way]?.(spoilt, at, by) ?? spoilt, text)

/** The bytes of a text, with invalid UTF-8 in place of each `NO_UTF8`. */
export const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    text
      .split(NO_UTF8)
      .flatMap((part, index) => [...(index === 0 ? [] : [Buffer.from([0xc3, 0x28])]), Buffer.from(part)]),
  )
const NO_UTF8 = '\uE000'

const pick = <T>(items: readonly T[], by: number): T => items[by % items.length] as T
const splice = (text: string, at: number, drop: number, more: string): string => {
  const from = Math.floor(at * text.length)
  return text.slice(0, from) + more + text.slice(from + drop)
}

/** Texts that control a terminal, are invisible, or contain half a character. */
const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\u001B[31mred\u001B[2J',
  '\u009B1m\u202Egnp.exe\u2066',
  '\uD800',
  '\uDC00x',
  '\uFEFF',
  '\u2028',
  '\u061C\u200E\u200F\u2029',
  // Unseen, each alone: a rule for names or ids may know only some of them.
  '\u061C',
  '\u00AD',
  '\u2800',
  '\u3164',
  '\u0085',
  'o\u0308\u0323\u{1F468}\u200D\u{1F469}\u{1F3FD}',
  NO_UTF8,
  '../..',
  '.',
  '%2e%2e',
  '${var.x}',
  '__proto__',
  'constructor',
  'x'.repeat(50_000),
]

/** Mutations of the characters of any text. */
export const CHARACTERS = {
  'is cut': (text, at) => text.slice(0, Math.floor(at * text.length)),
  'loses a piece': (text, at, by) => splice(text, at, 1 + (by % 30), ''),
  'holds a piece twice': (text, at, by) =>
    splice(text, at, 0, text.slice(Math.floor(at * text.length)).slice(0, 1 + (by % 60))),
  'has something odd in it': (text, at, by) => splice(text, at, by % 2, pick(ODD_TEXTS, by >> 1)),
  'has another character': (text, at, by) => splice(text, at, 1, String.fromCharCode(by % 256)),
} satisfies Ways

/** The path of every value in a document, down to a depth of 30, below which there is nothing new. */
export const placesIn = (value: unknown, path: readonly string[] = []): (readonly string[])[] => [
  path,
  ...(typeof value === 'object' && value !== null && path.length < 30
    ? Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))
    : []),
]

/** A copy with another value at a path; undefined removes the value. */
export const edited = (
  document: unknown,
  path: readonly string[],
  by: (old: unknown) => unknown,
): unknown => {
  const [step, ...rest] = path
  if (step === undefined) return by(document)
  if (Array.isArray(document))
    return document.flatMap((item: unknown, index) => {
      if (String(index) !== step) return [item]
      const inner = edited(item, rest, by)
      return inner === undefined ? [] : [inner]
    })
  return Object.fromEntries(
    Object.entries(document as object)
      .map(([key, inner]) => [key, key === step ? edited(inner, rest, by) : inner])
      .filter(([, inner]) => inner !== undefined),
  )
}

/** JSON text that cannot be made from values is inserted afterwards. */
const RAW: Readonly<Record<string, string>> = {
  '@deep list@': `${'['.repeat(3000)}${']'.repeat(3000)}`,
  '@deep object@': `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`,
  '@huge number@': '1e999',
  '@long number@': '123456789012345678901234567890',
  '@small number@': '-0.0000001e-400',
}
const inRaw = (text: string): string =>
  Object.entries(RAW).reduce((made, [mark, raw]) => made.replaceAll(JSON.stringify(mark), raw), text)

const OTHERS = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER,
  [],
  [null],
  [[]],
  [{}],
  {},
  { x: null },
  { id: null },
  'text',
  '5d1113b25a115342acc2d0f3',
  '2035-01-01T00:00:00Z',
  'yesterday',
  ...Object.keys(RAW),
  ...ODD_TEXTS,
]

const anywhere =
  (edit: (old: unknown, by: number) => unknown): Spoil =>
  (text, at, by) => {
    const document = parsed(text)
    if (document === undefined) return text
    const places = placesIn(document)
    return inRaw(
      JSON.stringify(
        edited(document, pick(places, Math.floor(at * places.length)), (old) => edit(old, by)),
      ) ?? '',
    )
  }

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Mutations of the values of a JSON text; other text stays as it is. */
export const VALUES = {
  'has another value': anywhere((_, by) => pick(OTHERS, by)),
  'has another text': anywhere((old, by) => (typeof old === 'string' ? pick(ODD_TEXTS, by) : old)),
  'lacks a value': anywhere(() => undefined),
  'has its lists doubled': anywhere((old) =>
    Array.isArray(old) ? [...(old as unknown[]), ...(old as unknown[])] : [old],
  ),
  'has a key twice': (text, at, by) => {
    const braces = [...text.matchAll(/\{"(\w+)":/g)]
    const brace = braces.length === 0 ? undefined : pick(braces, Math.floor(at * braces.length))
    return brace === undefined
      ? text
      : `${text.slice(0, brace.index + 1)}"${brace[1] ?? ''}":${String(by)},${text.slice(brace.index + 1)}`
  },
} satisfies Ways
