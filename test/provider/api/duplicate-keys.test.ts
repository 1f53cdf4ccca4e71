import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDuplicateKey } from '../../../provider/api/index.ts'
import { anyJson, anyName } from '../../support/any-text.ts'

describe('duplicate keys', () => {
  it.each([
    ['{"a":1,"a":2}', 'a', 7],
    ['{"a":{"b":1,"c":[{"d":1,"d":2}]}}', 'd', 24],
    ['{"a":1,"\\u0061":2}', 'a', 7],
    ['[{"x":{}},{"x":[],"y":"x","x":0}]', 'x', 26],
    ['{"__proto__":1,"__proto__":2}', '__proto__', 15],
    ['{"":1,"":2}', '', 6],
    ['{"a\\"b":1, "a\\"b":2}', 'a"b', 11],
  ])('are found in %s', (text, key, offset) => {
    expect(findDuplicateKey(text)).toEqual({ key, offset })
  })

  it.each([
    '{"a":"a","b":"a"}',
    '[{"a":1},{"a":1}]',
    '{"a":{"a":{"a":1}},"b":["a","a"]}',
    '"a"',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
  ])('are not seen where there are none: %s', (text) => {
    expect(findDuplicateKey(text)).toBeUndefined()
  })

  it('are in nothing that JSON.stringify writes', () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        expect(findDuplicateKey(JSON.stringify(value, undefined, 1))).toBeUndefined()
      }),
    )
  })

  it('are found wherever a key of any object is repeated', () => {
    fc.assert(
      fc.property(fc.dictionary(anyName(), anyJson(), { minKeys: 1 }), fc.nat(), (object, pick) => {
        const keys = Object.keys(object)
        const key = keys[pick % keys.length] ?? ''
        const text = `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(key)}:null}`
        expect(findDuplicateKey(`[[${text}]]`)?.key).toBe(key)
      }),
    )
  })

  it('are looked for in deep nesting without running out of stack', () => {
    const depth = 200_000
    expect(findDuplicateKey(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)).toBeUndefined()
  })
})
