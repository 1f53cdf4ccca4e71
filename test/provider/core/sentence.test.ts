import { asSentence } from '@deploymgmt/provider/core'
import { expect, test } from 'vitest'

test.each([
  ['it has ended', 'It has ended.'],
  ['does it?', 'Does it?'],
  ['it has ended. Nothing tells more.', 'It has ended. Nothing tells more.'],
])('"%s" is "%s" as a sentence of its own', (fragment, said) => {
  expect(asSentence(fragment)).toBe(said)
})
