import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeCtyType } from '../../../provider/terraform/wire/cty-type.ts'
import { diagnostic, rawState } from '../../../provider/terraform/wire/common-messages.ts'
import { providerMethods } from '../../../provider/terraform/wire/services.ts'
import { ObjectNesting, type Schema } from '../../../provider/terraform/wire/schema-messages.ts'
import { decodeMessage, encodeMessage } from '../../../provider/terraform/wire/protobuf.ts'
import { anyWellFormedText } from '../../support/any-text.ts'

const attribute = { steps: [{ attributeName: 'a' }, { attributeName: 'b' }] }

/** Schemas as the other side decodes them. */
const sent = (resourceSchemas: Record<string, Schema>): Record<string, Schema> => {
  const { response } = providerMethods.getProviderSchema
  return decodeMessage(response, encodeMessage(response, { resourceSchemas })).resourceSchemas
}

describe('a message', () => {
  it('is written by field numbers, and empty fields are left out', () => {
    expect(
      encodeMessage(diagnostic, { severity: 1, summary: 'no', detail: '', attribute }).toString('hex'),
    ).toBe(['0801', '12026e6f', '220a', '0a03', '0a0161', '0a03', '0a0162'].join(''))
    expect(encodeMessage(providerMethods.stopProvider.response, { error: '' })).toHaveLength(0)
  })

  it('is read with every scalar, and without the messages that were not sent', () => {
    expect(decodeMessage(providerMethods.configureProvider.request, new Uint8Array(0))).toEqual({
      terraformVersion: '',
    })
    expect(decodeMessage(rawState, new Uint8Array(0))).toEqual({ json: new Uint8Array(0) })
  })

  it('may have fields of a later protocol', () => {
    const known = encodeMessage(providerMethods.planResourceChange.request, {
      typeName: 't',
      priorPrivate: Buffer.from('p'),
    })
    // Fields 15, 200, 9 and 10: bytes, varint, 64 bits, 32 bits; and field 1 as a varint.
    const unknown = Buffer.from('7a03616263c00c0149010203040506070855010203040805', 'hex')
    for (const content of [Buffer.concat([unknown, known]), Buffer.concat([known, unknown])])
      expect(decodeMessage(providerMethods.planResourceChange.request, content)).toEqual({
        typeName: 't',
        priorPrivate: Buffer.from('p'),
      })
  })

  it('that is cut off is refused', () => {
    const whole = encodeMessage(diagnostic, { summary: 'something', attribute })
    // Cut after a whole field, it is a valid shorter message.
    const firstField = encodeMessage(diagnostic, { summary: 'something' }).length
    const lengths = Array.from(whole.keys()).filter((length) => length !== 0 && length !== firstField)
    expect(lengths).toHaveLength(whole.length - 2)
    for (const length of lengths)
      expect(() => decodeMessage(diagnostic, whole.subarray(0, length))).toThrow(RangeError)
  })

  it('keeps every key of a map, hostile ones too', () => {
    const text = anyWellFormedText({ maxLength: 20 })
    fc.assert(
      fc.property(fc.dictionary(text, fc.record({ version: fc.nat() }), { maxKeys: 5 }), (schemas) => {
        expect(Object.entries(sent(schemas))).toEqual(Object.entries(schemas))
      }),
    )
    const hostile = JSON.parse('{"__proto__": {}, "constructor": {}}') as Record<string, Schema>
    expect(Object.keys(sent(hostile))).toEqual(['__proto__', 'constructor'])
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
    }
    expect(sent({ a: { version: 2, block } })['a']).toMatchObject({ version: 2, block })
  })
})
