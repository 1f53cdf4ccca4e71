import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readInParts } from '../../../reconciler/disk/json-in-parts.ts'
import { anyJson, anyName } from '../../support/any-text.ts'
import { runs } from '../../support/soak.ts'

const bytesOf = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/** Each is about 3 KB, so a few hundred make several parts. */
const things = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`a.t${at}`, { ü: '\n    },\n'.repeat(200), nested: [{ at }] }]),
  )
const whole = (count: number) => ({ version: 1, things: things(count), last: { x: 1 } })

test.each([1, 90, 600])('all of %d members are there, in order', (count) => {
  for (const value of [whole(count), { version: 1, things: things(count) }]) {
    const read = readInParts(bytesOf(value), 'things')
    expect(read).toEqual(value)
    expect(JSON.stringify(read)).toBe(JSON.stringify(value))
  }
})

test('any object is read as it is, or not at all', () => {
  const names = fc.oneof(anyName({ maxLength: 5 }), fc.constantFrom('things', '__proto__', '1'))
  const some = fc.dictionary(names, anyJson())
  let read = 0
  fc.assert(
    fc.property(some, some, some, (before, inner, behind) => {
      const bytes = bytesOf({ first: 0, ...before, things: inner, ...behind })
      const value = readInParts(bytes, 'things')
      if (value === undefined) return true
      read++
      return JSON.stringify(value) === JSON.stringify(JSON.parse(String(bytes)))
    }),
    { numRuns: runs(2000) },
  )
  expect(read).toBeGreaterThan(500)
})

const text = String(bytesOf(whole(600)))
const LAST = '"a.t599": {'

test.each([
  ['a key twice, the second in another part', text.replace(LAST, '"a.t0": {')],
  ['a key twice within a member', text.replace(LAST, `${LAST} "nested": 1,`)],
  ['the whole member twice', text.replace('"last"', '"things": {},\n  "last"')],
  ['no comma between two members', text.replace(/\},(\s+"a\.t300")/u, '}$1')],
  ['something behind the end', `${text}]`],
  ['nothing at the end', text.slice(0, -3)],
  ['a comma at the end of the member', text.replace('\n    }\n  },', '\n    },\n  },')],
  ['a byte order mark', `\uFEFF${text}`],
  ['a member that is the prototype', text.replace(LAST, '"__proto__": {')],
  ['another layout', JSON.stringify(whole(600))],
  ['a member of that name within another', `{"a": {"b": 1${text.slice(text.indexOf(',\n  "things"'), -1)}}`],
])('%s is left to the reader of the whole text', (_what, wrong) => {
  expect(readInParts(Buffer.from(wrong), 'things')).toBeUndefined()
})

test('bytes that are no text are left to the reader of the whole text', () => {
  const bytes = Buffer.from(text)
  bytes[bytes.length >> 1] = 0xff
  expect(readInParts(bytes, 'things')).toBeUndefined()
})
