import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDuplicateKey, findTooDeep } from '../../../provider/api/index.ts'
import { isSoundJson } from '../../../provider/api/sound-json.ts'
import { anyJson, anyName } from '../../support/any-text.ts'

const isSound = (text: string): boolean => isSoundJson(Buffer.from(text), JSON.parse(text))

describe('a JSON text is sound', () => {
  it.each([
    '{"a":"a","b":"a"}',
    '{"a":{"a":{"a":1}},"b":["a","a"]}',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a:b":":","\\\\":"\\""}',
    '{"__proto__":1,"2":0,"1":0}',
    '[{"a":null},[],{},"x:y",1e5]',
    '"a"',
  ])('where no key is repeated: %s', (text) => {
    expect(isSound(text)).toBe(true)
  })

  it('whatever JSON.stringify has written', () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        expect(isSound(JSON.stringify(value, undefined, 1))).toBe(true)
      }),
    )
  })
})

describe('a JSON text is not sound', () => {
  it.each([
    '{"a":1,"a":2}',
    '{"a":{"b":1,"c":2},"a":{"b":1}}',
    '[{"x":{}},{"x":[],"y":"x","x":0}]',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"":1,"":2}',
  ])('where a key is repeated: %s', (text) => {
    expect(isSound(text)).toBe(false)
    expect(findDuplicateKey(text)).toBeDefined()
  })

  it('wherever a key of any object is repeated', () => {
    fc.assert(
      fc.property(
        fc.dictionary(anyName(), anyJson(), { minKeys: 1 }),
        fc.nat(),
        anyJson(),
        (object, pick, again) => {
          const keys = Object.keys(object)
          const key = JSON.stringify(keys[pick % keys.length])
          const text = `${JSON.stringify(object).slice(0, -1)},${key}:${JSON.stringify(again)}}`
          expect(isSound(`[[${text}]]`)).toBe(false)
        },
      ),
    )
  })

  it.each(['[', '{"a":'])('from the level at which it is too deep: %s', (open) => {
    const close = open === '[' ? ']' : '}'
    const nested = (depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`
    expect([isSound(nested(100)), findTooDeep(nested(100))]).toEqual([true, undefined])
    expect(isSound(nested(101))).toBe(false)
    expect(findTooDeep(nested(101))).toBeDefined()
  })
})
