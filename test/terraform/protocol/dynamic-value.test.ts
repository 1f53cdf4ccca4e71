import { decode } from '@msgpack/msgpack'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { CtyType } from '../../../provider/terraform/wire/cty-type.ts'
import {
  decodeDynamicValue,
  decodeRawState,
  encodeDynamicValue,
} from '../../../provider/terraform/wire/dynamic-value.ts'
import { type TerraformValue, UNKNOWN } from '../../../provider/terraform/wire/value.ts'
import { anyWellFormedText } from '../../support/any-text.ts'
import { runs } from '../../support/soak.ts'

const msgpack = (hex: string): { msgpack: Uint8Array } => ({
  msgpack: Buffer.from(hex.replaceAll(' ', ''), 'hex'),
})
const json = (text: string): { json: Uint8Array } => ({ json: Buffer.from(text) })
const hexOf = (value: TerraformValue, type: CtyType): string =>
  Buffer.from(encodeDynamicValue(value, type).msgpack ?? []).toString('hex')

interface Sample {
  readonly type: CtyType
  readonly value: TerraformValue
}

const primitive: fc.Arbitrary<Sample> = fc.oneof(
  anyWellFormedText().map((value) => ({ type: 'string', value }) as const),
  fc.boolean().map((value) => ({ type: 'bool', value }) as const),
  fc.oneof(fc.integer(), fc.maxSafeInteger()).map((value) => ({ type: 'number', value }) as const),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => ({ type: 'number', value: value === 0 ? 0 : value }) as const),
)

/** The reader of MessagePack refuses this one name. */
const names = anyWellFormedText().filter((name) => name !== '__proto__')

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    primitive,
    fc.tuple(fc.constantFrom('list', 'set'), tie('sample'), fc.nat(3)).map(([kind, one, count]): Sample => ({
      type: [kind, one.type],
      value: Array.from({ length: count }, () => one.value),
    })),
    fc.tuple(tie('sample'), fc.array(names, { maxLength: 3 })).map(([one, keys]): Sample => ({
      type: ['map', one.type],
      value: Object.fromEntries(keys.map((key) => [key, one.value])),
    })),
    fc.dictionary(names, tie('sample'), { maxKeys: 4 }).map((parts): Sample => ({
      type: ['object', mapRecord(parts, ({ type }) => type)],
      value: mapRecord(parts, ({ value }) => value),
    })),
    tie('sample').map(({ type }): Sample => ({ type, value: UNKNOWN })),
    tie('sample').map(({ type }): Sample => ({ type, value: null })),
  ),
}))

const mapRecord = <V, W>(record: Record<string, V>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

describe('a dynamic value', () => {
  it('comes back as it went, whatever its type', () => {
    fc.assert(
      fc.property(sample, ({ type, value }) => {
        expect(decodeDynamicValue(encodeDynamicValue(value, type), type)).toEqual(value)
      }),
      { numRuns: runs(200) },
    )
  })

  it('that is absent is null', () => {
    expect(decodeDynamicValue(undefined, 'string')).toBe(null)
    expect(decodeDynamicValue({ msgpack: new Uint8Array(0), json: new Uint8Array(0) }, 'string')).toBe(null)
    expect(decodeDynamicValue(msgpack('c0'), ['object', { a: 'string' }])).toBe(null)
  })

  it('is written with every attribute, null where nothing is said', () => {
    const type = ['object', { a: 'string', b: ['list', 'number'] }] as const
    expect(decode(encodeDynamicValue({ a: 'x' }, type).msgpack ?? [])).toEqual({ a: 'x', b: null })
  })

  it('is read from JSON as well', () => {
    const type = ['object', { size: 'number', list: ['list', 'bool'] }] as const
    const text = '{"size":1e3,"list":[true,null]}'
    expect(decodeDynamicValue(json(text), type)).toEqual({ size: 1000, list: [true, null] })
  })

  it('that does not fit its type is refused by its place, and not quoted', () => {
    const type = ['object', { parts: ['list', ['object', { name: 'string' }]] }] as const
    const secret = { parts: [{ name: 'x' }, { name: ['secret'] }] }
    expect(() => encodeDynamicValue(secret, type)).toThrow(
      'parts[1].name: expected a string, but found an array of 1.',
    )
    expect(() => encodeDynamicValue({ part: [] }, type)).toThrow('part: the schema has no such attribute.')
    expect(() => decodeDynamicValue(msgpack('80'), type)).toThrow('parts: expected an attribute')
    expect(() => decodeDynamicValue(json('{"parts":{}}'), type)).toThrow('parts: expected a list')
  })
})

test('an unknown value is written as extension 0, and any extension is read as one', () => {
  expect(hexOf(UNKNOWN, 'string')).toBe('d40000')
  for (const hex of [
    'd4 00 00',
    'c7 03 0c 81 01 c2',
    'c7 00 0c',
    'd5 0c 80 80',
    'd8 05 00112233445566778899aabbccddeeff',
  ])
    expect(decodeDynamicValue(msgpack(hex), ['list', 'string'])).toBe(UNKNOWN)
  expect(decodeDynamicValue(msgpack('92 a1 61 d4 00 00'), ['set', 'string'])).toEqual(['a', UNKNOWN])
})

describe('a number', () => {
  it.each([
    ['an integer', '07', 7],
    ['a negative integer', 'd3 ffffffffffffff85', -123],
    ['the largest integer that a double tells apart', 'cf 001fffffffffffff', 9007199254740991],
    ['a tenth, which Terraform sends as text', 'a3 302e31', 0.1],
    ['a large one as text', 'd9 1f 31303030303030303030303030303030303030303030303030303030303030', 1e30],
    ['a float that is a short decimal', 'cb 3ff8000000000000', 1.5],
    ['a small float', 'ca 3e800000', 0.25],
  ])('%s is read', (_case, hex, value) => {
    expect(decodeDynamicValue(msgpack(hex), 'number')).toEqual(value)
  })

  it.each([
    [7, '07'],
    [-1, 'ff'],
    [0.1, 'a3302e31'],
    [1e21, `a5${Buffer.from('1e+21').toString('hex')}`],
  ] as const)('%s is written as the decimal that it prints as', (value, hex) => {
    expect(hexOf(value, 'number')).toBe(hex)
  })

  it('that no floating-point number can hold is infinite, which no attribute accepts', () => {
    expect(decodeDynamicValue(json('"1e999"'), 'number')).toBe(Infinity)
    expect(decodeDynamicValue(json('"-1e999"'), 'number')).toBe(-Infinity)
  })

  it('that is none is refused', () => {
    expect(() => hexOf(Number.NaN, 'number')).toThrow('expected a number')
    expect(() => decodeDynamicValue(json('"1x"'), 'number')).toThrow('expected a number')
  })
})

describe('stored state', () => {
  const type = [
    'object',
    { id: 'string', size: 'number', parts: ['list', ['object', { kind: 'string' }]] },
  ] as const
  const stored = (text: string): TerraformValue => decodeRawState({ json: Buffer.from(text) }, type)

  it('of an earlier schema is read by the present one', () => {
    expect(stored('{"id":"a","gone":1,"size":0.30,"parts":[{"kind":"k","colour":"red"},{}]}')).toEqual({
      id: 'a',
      size: 0.3,
      parts: [{ kind: 'k' }, { kind: null }],
    })
    expect(stored('{"id":"a"}')).toEqual({ id: 'a', size: null, parts: null })
  })

  it('that is absent is null', () => {
    expect(decodeRawState(undefined, type)).toBe(null)
    expect(stored('')).toBe(null)
  })
})
