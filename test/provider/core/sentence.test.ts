import { asSentence } from '@deploymgmt/provider/core'
import { expect, test } from 'vitest'

test.each([
  ['it has ended', 'It has ended.'],
  ['does it?', 'Does it?'],
  ['accessList lacks 192.0.2.7', 'accessList lacks 192.0.2.7.'],
  ['access_list lacks 192.0.2.7', 'access_list lacks 192.0.2.7.'],
])('"%s" is "%s" as a sentence of its own', (fragment, said) => {
  expect(asSentence(fragment)).toBe(said)
})
