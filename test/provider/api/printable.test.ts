import { assert, property } from 'fast-check'
import { expect, it } from 'vitest'
import { formsOf, printable, withoutSecrets } from '../../../provider/api/printable.ts'
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

const SECRET = `a&b <"c'd">/+é? 1`

it.each([
  ['plain', SECRET],
  ['JSON', JSON.stringify(SECRET)],
  ['an address', encodeURIComponent(SECRET)],
  ['HTML', 'a&amp;b &lt;&quot;c&#39;d&quot;&gt;/+é? 1'],
  ['base64', Buffer.from(SECRET).toString('base64')],
  ['base64 without padding', Buffer.from(SECRET).toString('base64').replaceAll('=', '')],
  ['base64 for addresses', Buffer.from(SECRET).toString('base64url')],
])('a secret is found in a text as %s', (_, written) => {
  expect(withoutSecrets(`it was ${written}.`, formsOf(SECRET)).replaceAll('"', '')).toBe('it was (hidden).')
})

it('a secret that is too short to stand out is not looked for in base64, where it could be a part of anything', () => {
  expect(formsOf('id')).toEqual(['id'])
})
