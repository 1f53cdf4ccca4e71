import { expect, it } from 'vitest'
import { ServiceClock } from '../../../provider/api/service-clock.ts'

const AHEAD = 180_700
/** A `Date` header that the service wrote at this local time. */
const dateAt = (local: number): string => new Date(local + AHEAD).toUTCString()

it('knows the time by its quickest answers, however slow others are', () => {
  const clock = new ServiceClock(() => 0)
  clock.learn(dateAt(5), 0, 10)
  clock.learn(dateAt(10_900), 1_000, 11_000)
  expect(Math.abs(clock.now() - AHEAD)).toBeLessThan(1_000)
  clock.learn(dateAt(20_100), 20_000, 30_000)
  expect(Math.abs(clock.now() - AHEAD)).toBeLessThan(1_000)
})

it('begins anew where the clock of the service was set', () => {
  const clock = new ServiceClock(() => 0)
  clock.learn(dateAt(5), 0, 10)
  clock.learn(dateAt(-3_600_000), 20, 30)
  expect(Math.abs(clock.now() - (AHEAD - 3_600_000))).toBeLessThan(1_100)
})
