import { assert, property } from 'fast-check'
import { expect, it } from 'vitest'
import { printable, withoutSecrets } from '../../../provider/api/printable.ts'
import { anyText } from '../../support/any-text.ts'
import { UNSEEN } from '../../support/obeyed.ts'

it('nothing that is obeyed or unseen gets out of what a service says, wherever it is cut', () => {
  assert(
    property(anyText(), (text) => {
      for (const limit of [1, 10, 300]) {
        const shown = printable(text, limit)
        expect(shown).not.toMatch(UNSEEN)
        expect(shown).not.toContain('\n')
      }
    }),
  )
})

it('no half of a character stays where a text is cut', () => {
  expect(printable('ab🙂', 3)).toBe('ab…')
  expect(printable('ab🙂c', 4)).toBe('ab🙂…')
})

it('no rest of a secret stays that begins with another', () => {
  expect(withoutSecrets('of a: hunter2-and-more', ['hunter2', 'hunter2-and-more'])).toBe('of a: (hidden)')
})
