import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { LockedError, NotConfirmedError } from '../../../../reconciler/errors/index.ts'
import { initState, openSession } from '../../../../reconciler/state/index.ts'
import type { Hold } from '../../../../reconciler/state/stores/store.ts'
import { expected } from '../support/samples.ts'
import { type Place, stores } from './support/kinds-of-store.ts'

/** A clock that only pauses move, and what was printed. */
let now = 0
let said: string[] = []
/** What happens elsewhere during the pauses, one after the other. */
let meanwhile: (() => Promise<unknown>)[] = []
beforeEach(() => {
  now = Date.parse('2026-11-20T12:00:00Z')
  said = []
  meanwhile = []
})

const system = {
  now: () => new Date(now),
  random: () => 0.5,
  say: (text: string) => Promise.resolve(void said.push(text)),
  pause: async (ms: number, signal?: AbortSignal) => {
    now += ms
    await meanwhile.shift()?.()
    signal?.throwIfAborted()
  },
}

const opening = ({ address }: Place, more: { lockTimeout?: number; signal?: AbortSignal } = {}) =>
  openSession({ statePath: address, expect: expected, command: 'apply', ...more }, system)

const lockedBy = async (place: Place, command: string): Promise<Hold> => {
  const hold = await (await place.open()).lock(command)
  onTestFinished(() => hold.release().catch(() => undefined))
  return hold
}

describe.each(stores)('the lock of the $name store', ({ begin, setUp }) => {
  setUp?.()

  test('is waited for, and whoever holds it is named once, and so is the next one', async () => {
    const place = await begin()
    await initState({ statePath: place.address, expect: expected, command: 'state init' })
    const first = await lockedBy(place, 'state mv')
    const handOver = async () => {
      await first.release()
      const second = await lockedBy(place, 'state accept')
      meanwhile = [async () => {}, () => second.release()]
    }
    meanwhile = [async () => {}, handOver]
    await (await opening(place, { lockTimeout: 300_000 })).close()
    expect(said).toStrictEqual([
      expect.stringMatching(
        /^Waiting for up to 300 s: the state is locked by "state mv" \(process \d+ on .+, since .+\)$/u,
      ),
      expect.stringContaining('s: the state is locked by "state accept" (process '),
    ])
  })

  test('is waited for no longer than was said', async () => {
    const place = await begin()
    const hold = await lockedBy(place, 'state mv')
    await expect(opening(place, { lockTimeout: 12_000 })).rejects.toMatchObject({
      code: LockedError.code,
      message: expect.stringMatching(/locked by "state mv".*; it was waited for 12 s$/u),
      hint: expect.stringContaining(`deploymgmt state unlock ${hold.id}`),
    })
    expect(now).toBe(Date.parse('2026-11-20T12:00:12Z'))
    expect(said).toHaveLength(1)
  })
})

test('without a time nobody waits', async () => {
  const place = await (stores[0] as (typeof stores)[number]).begin()
  await lockedBy(place, 'state mv')
  const before = now
  await expect(opening(place)).rejects.toBeInstanceOf(LockedError)
  expect([now, said]).toStrictEqual([before, []])
})

test('an interrupt ends the waiting', async () => {
  const place = await (stores[0] as (typeof stores)[number]).begin()
  await lockedBy(place, 'state mv')
  const interrupt = new AbortController()
  meanwhile = [() => Promise.resolve(interrupt.abort())]
  await expect(opening(place, { lockTimeout: 60_000, signal: interrupt.signal })).rejects.toBeInstanceOf(
    NotConfirmedError,
  )
})
