import { expect, test } from 'vitest'
import { Nonces, noncesKept, replayWindow } from '../../service/auth/nonces.ts'

test('no count is taken twice, in any order, within the window and beyond', () => {
  const nonces = new Nonces(() => 0, 60_000)
  const nonce = nonces.issue()
  const taken = new Set<number>()
  let seed = 1
  for (let step = 0; step < 20_000; step += 1) {
    seed = (seed * 48_271) % 2_147_483_647
    const count = Math.max(1, Math.floor(step / 2) + (seed % (2 * replayWindow)) - replayWindow)
    const isTwice = nonces.takeCount(nonce, 'key', count) && taken.size === taken.add(count).size
    expect(isTwice).toBe(false)
  }
  expect(taken.size).toBeGreaterThan(1000)
})

test('each user of a nonce has counts of their own', () => {
  const nonces = new Nonces(() => 0, 60_000)
  const nonce = nonces.issue()
  expect(nonces.takeCount(nonce, 'a', 1)).toBe(true)
  expect(nonces.takeCount(nonce, 'b', 1)).toBe(true)
  expect(nonces.takeCount(nonce, 'a', 1)).toBe(false)
})

test('what is remembered is bounded, and what is forgotten goes stale', () => {
  const nonces = new Nonces(() => 0, 60_000)
  const first = nonces.issue()
  expect(nonces.takeCount(first, 'key', 1)).toBe(true)
  for (let index = 0; index < noncesKept; index += 1) nonces.takeCount(nonces.issue(), 'key', 1)
  expect(nonces.size).toBe(noncesKept)
  expect(nonces.judge(first)).toBe('stale')
  expect(nonces.takeCount(first, 'key', 1)).toBe(false)
})

test('a nonce that was changed anywhere is unknown', () => {
  const nonces = new Nonces(() => 0, 60_000)
  const nonce = nonces.issue()
  expect(nonces.judge(nonce)).toBe('fresh')
  for (let index = 0; index < nonce.length; index += 1) {
    const other = nonce[index] === 'A' ? 'Q' : 'A'
    expect(nonces.judge(nonce.slice(0, index) + other + nonce.slice(index + 1))).toBe('unknown')
  }
})

test('a nonce is stale before it was made and after its time', () => {
  let now = 1000
  const nonces = new Nonces(() => now, 500)
  const nonce = nonces.issue()
  for (const [at, state] of [
    [999, 'stale'],
    [1000, 'fresh'],
    [1499, 'fresh'],
    [1500, 'stale'],
  ] as const) {
    now = at
    expect(nonces.judge(nonce)).toBe(state)
  }
})
