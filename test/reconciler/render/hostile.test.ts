import { assert, property } from 'fast-check'
import { expect, it } from 'vitest'
import { showValue } from '../../../reconciler/text/values.ts'
import { anyJson } from '../../support/any-text.ts'
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
