import { expect, it } from 'vitest'
import { check } from '../../provider/core/check/index.ts'
import { valueWords } from '../../provider/terraform/words/values.ts'

it.each([
  ['2035-01-06T02:00:00[Europe/Madrid]', '2035-01-06T01:00:00Z'],
  ['2035-01-06 02:00[Europe/Madrid]', '2035-01-06T01:00:00Z'],
])('%s is no instant for Terraform, which is told the one that was meant, in UTC', (text, utc) => {
  expect(check({ is: 'instant' }, text).map(valueWords)).toEqual([
    {
      summary: `"${text}" is not an instant; did you mean ${utc}?`,
      detail: 'Write it as 2026-12-05T02:00:00Z.',
    },
  ])
})
