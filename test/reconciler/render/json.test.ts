import { assert, nat, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyJson } from '../../support/any-text.ts'
import { toJson } from '../../../reconciler/text/json.ts'
import { OBEYED } from '../../support/obeyed.ts'
import { HOSTILE } from './support/text.ts'

describe('json', () => {
  it('means the same after its escapes, and holds nothing that is obeyed', () => {
    assert(
      property(anyJson(), nat(4), (value, indent) => {
        const text = toJson(value, { indent })
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(text).not.toMatch(OBEYED)
      }),
    )
  })

  it('escapes as JSON does', () => {
    expect(toJson({ a: '\u202E\u009B\u007F\u2028é' })).toBe(String.raw`{"a":"\u202e\u009b\u007f\u2028é"}`)
    expect(toJson({ a: [1] }, { indent: 2 })).toBe('{\n  "a": [\n    1\n  ]\n}')
    expect(toJson(undefined)).toBe('null')
  })

  it('without an indent is one line', () => {
    const line = toJson({ type: 'finished', notes: [HOSTILE] })
    expect(line).not.toContain('\n')
    expect(JSON.parse(line)).toEqual({ type: 'finished', notes: [HOSTILE] })
  })
})
