import { beforeEach, expect, test } from 'vitest'
import { StateWriteError } from '../../../reconciler/errors/index.ts'
import { atWorkMs, Ownership } from '../../../reconciler/state/lock/ownership.ts'

let now = 0
let checks = 0
let ownership = new Ownership(() => new Date(now))
beforeEach(() => {
  now = Date.parse('2026-11-20T12:00:00Z')
  checks = 0
  ownership = new Ownership(() => new Date(now))
})

const check = (): Promise<void> => {
  checks += 1
  return Promise.resolve()
}
const slow = (): Promise<void> => {
  now += 31_000
  return check()
}
const save = (): Promise<string> => Promise.resolve('saved')

test('nothing is certain before the first save or check', async () => {
  await ownership.certain(check)
  expect(checks).toBe(1)
})

test.each([
  [29_999, 0],
  [30_000, 1],
  [-1, 1],
])(
  '%i ms after a save began by the clock of the machine, it is checked %i times',
  async (passed, expected) => {
    expect(await ownership.proving(save)).toBe('saved')
    now += passed
    await ownership.certain(check)
    expect(checks).toBe(expected)
  },
)

test('what counts is when a save began, and not when it ended', async () => {
  await ownership.proving(() => {
    now += 30_000
    return save()
  })
  await ownership.certain(check)
  expect(checks).toBe(1)
})

test('a save that failed proves nothing', async () => {
  await expect(ownership.proving(() => Promise.reject(new Error('cut')))).rejects.toThrow('cut')
  await ownership.certain(check)
  expect(checks).toBe(1)
})

test('checks that take longer than what they prove end in an error', async () => {
  await expect(ownership.certain(slow)).rejects.toBeInstanceOf(StateWriteError)
  expect(checks).toBe(3)
})

test('what a check refuses is refused', async () => {
  await expect(ownership.certain(() => Promise.reject(new Error('taken away')))).rejects.toThrow('taken away')
})

test.each([
  [0, 90_000],
  // The write that took the lock away may have been on its way for long.
  [125_000, 90_000],
  [4_260_000, 90_000],
  [4_349_000, 1000],
  [4_350_000, 0],
  [86_400_000, 0],
  [-1, 90_000],
])('%i ms after a lock was removed, its owner may be at work for %i ms', (passed, expected) => {
  expect(atWorkMs({ unlockedAt: new Date(now).toISOString() }, new Date(now + passed))).toBe(expected)
})

test.each([
  [0, 90_000],
  // The clocks of two machines may differ by a minute.
  [60_000, 90_000],
  [100_000, 50_000],
  [150_000, 0],
  [-1, 90_000],
])(
  '%i ms after it was seen that a lock was removed, its owner may be at work for %i ms',
  (passed, expected) => {
    const landedAt = new Date(now).toISOString()
    for (const unlockedAt of [landedAt, new Date(now - 300_000).toISOString()])
      expect(atWorkMs({ unlockedAt, landedAt }, new Date(now + passed))).toBe(expected)
  },
)

test('where no lock was removed, nobody is waited for', () => {
  expect(atWorkMs({}, new Date(now))).toBe(0)
})
