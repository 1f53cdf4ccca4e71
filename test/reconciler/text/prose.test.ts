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

test.each([
  ['deploymgmt get organization_events --org-id 5980cfdf0b6d97029d82f86e', ''],
  ['deploymgmt state disown 6b0c9c266c6985cc6706bf0b -f ./', ''],
  ['deploymgmt state disown --everything -f ./', ' after that'],
  ['deploymgmt state unlock', ' breaks it'],
  ['deploymgmt state init', '.'],
  [`deploymgmt apply --target 'maintenanceWindows.weekly patching' -f './my files/'`, ', then look'],
  ['deploymgmt state accept maintenanceWindows.ledger-window', ' says so'],
  ['{ section: maintenanceWindows, id: 6b0c9c266c6985cc6706bf0b, reason: WHY }', ' to unmanaged.ignore'],
  ['-f deploymgmt.yaml -f teams/a/production -f teams/b/production/alerts.yaml', '.'],
])('%s is pasted from one line', (pasted, rest) => {
  const lines = wrap(`another event about it may tell who that was; so add or run: ${pasted}${rest}`, 40)
  expect(lines.filter((line) => line.includes(pasted))).toHaveLength(1)
})

test('a command that a sentence is only about breaks like any other words', () => {
  expect(wrap('an apply settles it, and deploymgmt plan says what else there is to be done', 40)).toEqual([
    'an apply settles it, and deploymgmt plan',
    'says what else there is to be done',
  ])
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
