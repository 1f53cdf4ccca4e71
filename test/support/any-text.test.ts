import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyJson, anyText, anyWellFormedText } from './any-text.ts'
import { EVERY_OBEYED, OBEYED, UNSEEN } from './obeyed.ts'

const sampleOf = <T>(values: fc.Arbitrary<T>): T[] => fc.sample(values, { numRuns: 300, seed: 1 })

/** All keys and texts in a value. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Object.entries(value ?? {}).flatMap(([key, inner]) => [
        ...(Array.isArray(value) ? [] : [key]),
        ...textsIn(inner),
      ])

const made = {
  anyText: sampleOf(anyText()),
  anyWellFormedText: sampleOf(anyWellFormedText()),
  anyJson: sampleOf(anyJson()).flatMap((value) => textsIn(value)),
}

test.each(Object.entries(made))('%s makes texts that are hostile in every way', (_, texts) => {
  const all = texts.join('\n')
  for (const part of [
    '\0',
    '\r',
    '\n',
    '\u001B[2J',
    '\u007F',
    '\u009B',
    '\u061C',
    '\u2028',
    '\u202E',
    '\uFEFF',
    '"',
    '\\',
  ])
    expect(all).toContain(part)
  for (const kind of [/[a-z]/, /[^\p{ASCII}\p{C}\p{Z}]/u, /[\u{10000}-\u{10FFFF}]/u])
    expect(all).toMatch(kind)
  expect(texts).toEqual(expect.arrayContaining(['', '__proto__']))
  expect(texts.filter((text) => OBEYED.test(text)).length).toBeGreaterThan(texts.length / 4)
})

test('half characters are made where any text is meant, and not where it is to be sent', () => {
  for (const [name, texts] of Object.entries(made))
    expect([name, texts.every((text) => text.isWellFormed())]).toEqual([name, name === 'anyWellFormedText'])
})

test('long texts are made, but none beyond a limit', () => {
  expect(made.anyText.some((text) => text.length >= 5000)).toBe(true)
  expect(sampleOf(anyText({ maxLength: 4 })).every((text) => text.length <= 4 * 12)).toBe(true)
})

test('objects are made whose own key is __proto__', () => {
  const own = sampleOf(anyJson()).filter(
    (value) => value !== null && Object.hasOwn(Object(value), '__proto__'),
  )
  expect(own).not.toEqual([])
})

test('what is obeyed is what it says, and all of it is unseen too', () => {
  expect(EVERY_OBEYED).toHaveLength(0x20 - 1 + 0x21 + 3 + 7 + 4)
  for (const character of EVERY_OBEYED) expect(character).toMatch(UNSEEN)
  expect('plain text,\né 保守 🚧 "x"').not.toMatch(UNSEEN)
  for (const unseen of ['\u200B', '\uFEFF', '\u00AD', '\u2060', '\u{E0041}', '\uD800'])
    expect(unseen).toMatch(UNSEEN)
})
