import { resourceBlock, type Attribute, type AttributeType } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { isKnown } from '../../provider/terraform/codec/plain.ts'
import { decode, encode } from '../../provider/terraform/codec/values.ts'
import { UNKNOWN, type TerraformObject, type TerraformValue } from '../../provider/terraform/wire/value.ts'
import { anyText } from '../support/any-text.ts'

type Values = fc.Arbitrary<any>

const anyOf = (type: AttributeType): Values =>
  fc.oneof({ weight: 6, arbitrary: knownOf(type) }, fc.constant(null), fc.constant(UNKNOWN))

const knownOf = (type: AttributeType): Values => {
  switch (type.is) {
    case 'bool':
      return fc.boolean()
    case 'number':
      return fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'list':
    case 'set':
      return fc.array(anyOf(type.of), { maxLength: 3 })
    case 'map':
      return fc.dictionary(anyText(), anyOf(type.of), { maxKeys: 3 })
    case 'object':
      return objectOf(type.attributes)
    default:
      return anyText()
  }
}

/** A write-only value comes back as null. */
const objectOf = (attributes: readonly Attribute[]): fc.Arbitrary<TerraformObject> =>
  fc.record(
    Object.fromEntries(
      attributes.map(({ name, type, writeOnly }) => [
        name,
        writeOnly === true ? fc.constant(null) : anyOf(type),
      ]),
    ),
  )

const isWhollyKnown = (value: TerraformValue): boolean =>
  value !== UNKNOWN &&
  (value === null || typeof value !== 'object' || Object.values(value).every(isWhollyKnown))

describe.each(kinds.map((kind) => [kind.kind, resourceBlock(kind)] as const))('values of %s', (_, block) => {
  const { attributes } = block

  it('come back from plain values as they were, what is not known yet included', () => {
    fc.assert(
      fc.property(objectOf(attributes), (object) => {
        expect(encode(attributes, decode(attributes, object))).toEqual({ ...object })
      }),
    )
  })

  it('are plain by the definition’s names, and say which of them are not wholly known', () => {
    fc.assert(
      fc.property(objectOf(attributes), (object) => {
        const plain = decode(attributes, object)
        expect(Object.keys(plain.values).every((key) => !key.includes('_'))).toBe(true)
        for (const { key, name } of attributes)
          expect(isKnown(plain, key)).toBe(isWhollyKnown(object[name] ?? null))
      }),
    )
  })
})

test('a write-only value is in no answer, known or not', () => {
  for (const kind of kinds) {
    const { attributes } = resourceBlock(kind)
    for (const { name } of attributes.filter(({ writeOnly }) => writeOnly)) {
      for (const value of ['canary', UNKNOWN] as const)
        expect(encode(attributes, decode(attributes, { [name]: value }))[name]).toBeNull()
    }
  }
})
