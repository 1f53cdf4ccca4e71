import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { retryLimits } from '../../provider/api/retry.ts'
import { faultKinds } from '../../service/control/fault-schema.ts'
import { COLUMNS, lineOf, rows } from '../hostile/support/fault-rows.ts'

const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'failure-model.md'), 'utf8')
const section = page.split('\n## What is retried\n')[1]?.split('\n## ')[0] ?? ''
const words: Readonly<Record<number, string>> = { 2: 'two', 3: 'three', 10: 'ten', 20: 'twenty' }

test('docs/failure-model.md says how long and how often the client tries', () => {
  const { deadlineMs, totalMs, firstDelayMs, longestDelayMs, longestRetryAfterMs } = retryLimits
  expect(section).toContain(`Each request has ${deadlineMs / 1000} seconds`)
  expect(totalMs).toBe(60_000)
  expect(section).toContain('the waits between them, has a minute')
  expect(firstDelayMs).toBe(500)
  expect(section).toContain(
    'up to half a second before the second attempt, twice that before each further one',
  )
  expect(section).toContain(`${words[longestDelayMs / 1000]} seconds at most`)
  expect(section).toContain(`the client waits that long, ${longestRetryAfterMs / 1000} seconds at most`)
})

test.each([
  ['a read | no connection', retryLimits.mostHopeless],
  ['a read | an answer that is cut', retryLimits.mostHopeless],
  ['a read | a lost connection', retryLimits.mostReads],
  ['a read | 429', retryLimits.mostLimited],
  ['a PATCH or DELETE | 429', retryLimits.mostLimited],
  ['a POST | 429', retryLimits.mostLimited],
  ['a write that was not sent | no connection', retryLimits.mostReads],
])('docs/failure-model.md says how often %s is sent', (row, attempts) => {
  const line = section.split('\n').find((each) => each.startsWith(`| ${row}`))
  expect(line).toMatch(new RegExp(`\\| ${words[attempts]} \\|$`))
})

test('docs/failure-model.md has a row for each fault of the service, as its test tries it', () => {
  const table = page.split('\n## Each fault by itself\n')[1]?.split('\n## ')[0] ?? ''
  const lines = table.split('\n').filter((line) => line.startsWith('| '))
  expect(lines).toEqual([
    `| Fault | ${Object.values(COLUMNS).join(' | ')} |`,
    expect.stringMatching(/^[| -]+$/),
    ...rows.map((row) => lineOf(row)),
  ])
  expect(new Set(rows.map(({ fault: { fault } }) => fault))).toEqual(new Set(Object.keys(faultKinds)))
})
