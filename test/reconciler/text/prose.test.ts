import { expect, test } from 'vitest'
import { hanging, printedLines, proseLines, wrap } from '../../../reconciler/text/lines.ts'

test('a line break in what somebody has called something makes no line of a report', () => {
  expect(printedLines(proseLines('silences evil\nforged: in sync', 80), { color: false })).toBe(
    String.raw`silences evil\nforged: in sync`,
  )
})

test('what is to be pasted stands in one line, however narrow the terminal is', () => {
  const field = 'projectIds: { all: true, except: [search, identity, notifications, catalog] }'
  const told = printedLines(hanging(`plan again; or leave catalog out: ${field}`, 40), { color: false })
  expect(told.split('\n').map((line) => line.trim())).toEqual(['plan again; or leave catalog out:', field])
})

test('breaks a line beside a word of a million characters, and before what a field holds', () => {
  const word = 'w'.repeat(1_000_000)
  expect(wrap(`set ${word} or projectIds: { all: true, except: [b] }`, 40)).toEqual([
    'set',
    word,
    'or',
    'projectIds: { all: true, except: [b] }',
  ])
})
