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
})

it.each([
  ['a heart in colour', '\u2764\uFE0F'],
  ['a heart on fire', '\u2764\uFE0F\u200D\u{1F525}'],
  ['a family', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
  ['a technologist with a skin', '\u{1F469}\u{1F3FD}\u200D\u{1F4BB}'],
  ['a keycap', '1\uFE0F\u20E3'],
])('a pictograph of several characters stays as it is: %s', (_, text) => {
  expect(showValue(text)).toBe(text)
})

it.each([
  '\u200D\u{1F469}',
  '\u{1F469}\u200D',
  'a\u200Db',
  '\u{1F468}\u200D\u200D\u{1F469}',
  '\u00A9\u200D\u00AE',
  '\u{1F600}\u200D\u{1F600}',
  '1\uFE0F',
  'a\uFE0F\u20E3',
])('what joins or selects nothing is spelt out (%#)', (text) => {
  expect(showValue(text)).toMatch(/\\u(?:200D|FE0F)/)
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
