import { expect, test } from 'vitest'
import { print, prose } from '../../../reconciler/text/lines.ts'

test('a line break in what somebody has called something makes no line of a report', () => {
  expect(print(prose('silences evil\nforged: in sync', 80), { color: false })).toBe(
    String.raw`silences evil\nforged: in sync`,
  )
})
