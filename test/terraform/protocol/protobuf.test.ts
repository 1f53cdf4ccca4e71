import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { decodeCtyType, encodeCtyType } from '../../../provider/terraform/wire/cty-type.ts'
import {
  attributePath,
  diagnostic,
  pathTo,
  rawState,
} from '../../../provider/terraform/wire/common-messages.ts'
import { providerMethods } from '../../../provider/terraform/wire/services.ts'
import { BlockNesting, ObjectNesting } from '../../../provider/terraform/wire/schema-messages.ts'
import { decodeMessage, encodeMessage } from '../../../provider/terraform/wire/protobuf.ts'

describe('a message', () => {
  it('is written by field numbers, and empty fields are left out', () => {
    expect(
      encodeMessage(diagnostic, {
        severity: 1,
        summary: 'no',
        detail: '',
        attribute: pathTo('a', 0),
      }).toString('hex'),
    ).toBe(['0801', '12026e6f', '2209', '0a03', '0a0161', '0a02', '1800'].join(''))
    expect(encodeMessage(providerMethods.stopProvider.response, { error: '' })).toHaveLength(0)
  })

  it('says of a step which of its three kinds it is, even when it is empty', () => {
    const path = pathTo('', 0, { key: '' }, { key: 'k' }, 7)
    expect(decodeMessage(attributePath, encodeMessage(attributePath, path))).toEqual(path)
  })

  it('is read with every scalar, and without the messages that were not sent', () => {
    expect(decodeMessage(providerMethods.configureProvider.request, new Uint8Array(0))).toEqual({
      terraformVersion: '',
    })
    expect(decodeMessage(rawState, new Uint8Array(0))).toEqual({ json: new Uint8Array(0), flatmap: {} })
  })

  it('may have fields of a later protocol', () => {
    const known = encodeMessage(providerMethods.planResourceChange.request, {
      typeName: 't',
      priorPrivate: Buffer.from('p'),
    })
    // Fields 8, 200, 9 and 10: bytes, varint, 64 bits, 32 bits; and field 1 as a varint.
    const unknown = Buffer.from('4203616263c00c0149010203040506070855010203040805', 'hex')
    for (const content of [Buffer.concat([unknown, known]), Buffer.concat([known, unknown])])
      expect(decodeMessage(providerMethods.planResourceChange.request, content)).toEqual({
        typeName: 't',
        priorPrivate: Buffer.from('p'),
      })
  })

  it('that is cut off is refused', () => {
    const whole = encodeMessage(diagnostic, { summary: 'something', attribute: pathTo('name', 1) })
    // Cut after a whole field it is a shorter message, and no error.
    const firstField = encodeMessage(diagnostic, { summary: 'something' }).length
    const lengths = Array.from(whole.keys()).filter((length) => length !== 0 && length !== firstField)
    expect(lengths).toHaveLength(whole.length - 2)
    for (const length of lengths)
      expect(() => decodeMessage(diagnostic, whole.subarray(0, length))).toThrow(RangeError)
  })

  it('keeps every key of a map, hostile ones too', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 })
    fc.assert(
      fc.property(fc.dictionary(text, text, { maxKeys: 5 }), (flatmap) => {
        const read = decodeMessage(rawState, encodeMessage(rawState, { flatmap }))
        expect(Object.entries(read.flatmap)).toEqual(Object.entries(flatmap))
      }),
    )
    const hostile = JSON.parse('{"__proto__": "x", "constructor": "y"}') as Record<string, string>
    const read = decodeMessage(rawState, encodeMessage(rawState, { flatmap: hostile }))
    expect(Object.keys(read.flatmap)).toEqual(['__proto__', 'constructor'])
  })

  it('holds schemas within schemas', () => {
    const block = {
      version: 3,
      attributes: [
        {
          name: 'parts',
          optional: true,
          nestedType: {
            nesting: ObjectNesting.set,
            attributes: [{ name: 'kind', type: encodeCtyType('string'), writeOnly: true }],
          },
        },
      ],
      blockTypes: [
        {
          typeName: 'inner',
          nesting: BlockNesting.list,
          block: { description: 'd' },
          minItems: 1,
          maxItems: 2,
        },
      ],
    }
    const read = decodeMessage(
      providerMethods.getProviderSchema.response,
      encodeMessage(providerMethods.getProviderSchema.response, {
        resourceSchemas: { a: { version: 2, block } },
      }),
    )
    expect(read.resourceSchemas?.['a']).toMatchObject({ version: 2, block })
  })
})

test('a type is spelt as JSON, and nothing else is one', () => {
  const type = ['object', { a: ['map', ['tuple', ['bool', 'dynamic']]] }] as const
  expect(decodeCtyType(encodeCtyType(type))).toEqual(type)
  for (const wrong of ['text', ['list'], ['object', null], ['tuple', 'string'], ['bag', 'string'], 1])
    expect(() => decodeCtyType(Buffer.from(JSON.stringify(wrong)))).toThrow(/is no type of Terraform's/)
})
