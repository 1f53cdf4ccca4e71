import { assert, constant, oneof, property } from 'fast-check'
import { expect, it } from 'vitest'
import { shortId, showValue } from '../../../reconciler/text/values.ts'
import { anyJson, anyText } from '../../support/any-text.ts'
import { UNSEEN } from '../../support/obeyed.ts'
import { applyText, finished, summaryOf } from './support/apply.ts'

it('an address stays text between the quotes of a command to copy', () => {
  const unknown = finished({ address: "integrations.only[$(rm)'; x]", status: 'unknown' })
  expect(applyText(summaryOf({ problems: [unknown] }))).toContain(
    String.raw`resolve 'integrations.only[$(rm)'\''; x]' --not-created`,
  )
})

it('nothing that is obeyed gets out of a value, whatever it is', () => {
  assert(
    property(anyJson(), (value) => {
      const shown = showValue(value)
      expect(shown).not.toMatch(UNSEEN)
      expect(shown).not.toContain('\n')
    }),
  )
})

it('a letter that nobody sees does not pass for the end of a name', () => {
  for (const unseen of Array.from('\u034F\u115F\u1160\u17B4\u180B\u2800\u3164\uFE0F\uFFA0\u{E0100}'))
    expect(showValue(`dana${unseen}`)).toMatch(/^dana\\u[\dA-F]{4}/)
  expect(showValue('\u2764\uFE0F')).toBe('\u2764\uFE0F')
})

it('nothing that is obeyed gets out of what people call an id, nor out of what is taken for one', () => {
  assert(
    property(oneof(constant('5d1113b25a115342acc2d0f3'), anyText()), anyText(), (id, name) => {
      const names = new Map([[id, name]])
      for (const shown of [showValue(id, { names }), showValue({ by: id }, { names }), shortId(name)])
        expect(shown).not.toMatch(UNSEEN)
    }),
  )
})

it('an id with a letter that nobody sees is not taken for another, beside its name either', () => {
  const id = 'payments\u061C'
  expect(showValue(id, { names: new Map([[id, 'Payments']]) })).toBe(String.raw`Payments (payments\u061C)`)
})
