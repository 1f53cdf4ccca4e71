import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { StateConflictError, StateWriteError } from '../../../../reconciler/errors/index.ts'
import { openSession, readSession, unlockState } from '../../../../reconciler/state/index.ts'
import { intentFor, put } from '../support/samples.ts'
import { system, begun, always } from './support/http.ts'
import type { Fate, Manner } from './support/state-server.ts'

test('a save of which nothing is heard for five minutes is given up, and found done where it comes later', async () => {
  const { server, open, read } = await begun()
  const session = await open()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let held = 0
  server.fate = async ({ method, gone }): Promise<Fate> => {
    if (method !== 'POST') return 'answer'
    held += 1
    if (held > 1) return 'answer'
    vi.advanceTimersByTime(300_000)
    await gone()
    return 'answer'
  }
  await session.effects([put('things.a')])
  vi.useRealTimers()
  expect(held).toBeGreaterThan(0)
  await session.commit()
  await session.close()
  expect(await read()).toStrictEqual({ things: ['things.a'], unknown: 0, busy: undefined })
})

const WAYS: readonly (readonly [Manner, Fate])[] = (['plain', 'gitlab', 'gitea'] as const).flatMap((manner) =>
  (['cut-before', 'cut-after', 'fail', 'fail-after'] as const).map((fate) => [manner, fate] as const),
)

describe.each(WAYS)('as %s, where one request is met by %s', (manner, fate) => {
  test('an apply ends as without it, whichever request that is', async () => {
    const { server, options, open, read } = await begun(manner)
    let met = 0
    for (let nth = 1, isMet = true; isMet; nth += 1) {
      const first = server.log.length
      isMet = false
      server.fate = (asked) => {
        if (asked.nth !== first + nth) return 'answer'
        isMet = true
        return fate
      }
      const session = await open()
      const n = await session.intent(intentFor(`things.${nth}`))
      await session.answered(n, [put(`things.${nth}`)])
      await session.confirm()
      await session.commit()
      await session.close()
      server.fate = () => 'answer'
      if (isMet) met += 1
      expect(await read()).toMatchObject({ unknown: 0, busy: undefined })
      const { state } = await readSession(options, system)
      expect([Object.keys(state.resources).length, state.serial]).toStrictEqual([nth, nth + 1])
      expect(server.lock).toBeUndefined()
    }
    expect(met).toBeGreaterThan(12)
  })
})

describe.each<Manner>(['plain', 'gitlab', 'gitea'])('a save that was given up, as %s', (manner) => {
  /** A command that still has to record an answer, after a save that was given up and may still arrive. */
  const withLate = async () => {
    const here = await begun(manner)
    const session = await here.open()
    const n = await session.intent(intentFor('things.a'))
    always(here.server, 'POST', 'late')
    await expect(session.intent(intentFor('things.b'))).rejects.toMatchObject({
      code: StateWriteError.code,
      message: expect.stringContaining('is not known'),
    })
    here.server.fate = () => 'answer'
    return { ...here, session, n }
  }

  test('and arrives before the next is no conflict, and nothing of it is acted upon', async () => {
    const { server, session, n, read } = await withLate()
    server.arrive()
    await session.answered(n, [put('things.a')])
    await session.commit()
    await session.close()
    expect(await read()).toStrictEqual({ things: ['things.a'], unknown: 0, busy: undefined })
  })

  test('and arrives after the next does not stay', async () => {
    const { server, session, n, read } = await withLate()
    await session.answered(n, [put('things.a')])
    server.arrive()
    await session.commit()
    await session.close()
    expect(await read()).toStrictEqual({ things: ['things.a'], unknown: 0, busy: undefined })
  })

  test('and arrives once the lock is another one’s is refused', async () => {
    const { server, session, options, n, open, read } = await withLate()
    await session.answered(n, [put('things.a')])
    await unlockState(options, { id: server.lock?.['ID'] as string, ownerEnded: true }, system)
    const next = await open()
    await next.effects([put('things.c')])
    server.arrive()
    await next.commit()
    await next.close()
    expect(await read()).toMatchObject({ things: ['things.a', 'things.c'], unknown: 0 })
    await expect(session.effects([put('things.d')])).rejects.toThrow(StateConflictError)
  })
})

test('where a save that was given up covers what is certain, looking after the lock puts it right', async () => {
  const { server, options } = await begun()
  let now = new Date('2026-11-22T12:00:00Z')
  const session = await openSession(options, { ...system, now: () => now })
  always(server, 'POST', 'late')
  await expect(session.intent(intentFor('things.b'))).rejects.toThrow(StateWriteError)
  server.fate = () => 'answer'
  await session.effects([put('things.a')])
  server.arrive()
  expect(server.document).toContain('things.b')
  now = new Date(now.getTime() + 60_000)
  await session.confirm()
  expect(server.document).not.toContain('things.b')
  expect(server.document).toContain('things.a')
  await session.close()
})

test('where a save that was given up covers what is certain, giving the lock back puts it right too', async () => {
  const { server, open, read } = await begun()
  const session = await open()
  always(server, 'POST', 'late')
  await expect(session.intent(intentFor('things.b'))).rejects.toThrow(StateWriteError)
  server.fate = () => 'answer'
  await session.effects([put('things.a')])
  server.arrive()
  await session.close()
  expect(server.document).not.toContain('things.b')
  expect(await read()).toEqual({ things: ['things.a'], unknown: 0, busy: undefined })
})

test.each([409, 423])(
  'a save that is refused with %d is read back before it counts as refused',
  async (status) => {
    const { server, open, read } = await begun()
    const session = await open()
    let saves = 0
    server.fate = async (asked) => {
      if (asked.method !== 'POST') return 'answer'
      saves += 1
      return saves === 1 ? 'fail-after' : status
    }
    await session.effects([put('things.a')])
    expect(await read()).toMatchObject({ things: ['things.a'] })
    server.fate = ({ method }) => (method === 'POST' ? status : 'answer')
    await expect(session.effects([put('things.b')])).rejects.toThrow(StateConflictError)
  },
)

test.each<readonly [Manner, number]>([
  ['plain', 409],
  ['plain', 423],
  ['gitea', 409],
  ['gitlab', 409],
  ['gitlab', 422],
])(
  'as %s, a save that is refused with %d once or twice, and that nobody hinders, is sent again',
  async (manner, status) => {
    const { server, open, read } = await begun(manner)
    const session = await open()
    for (const [times, thing] of [
      [1, 'things.a'],
      [2, 'things.b'],
    ] as const) {
      let saves = 0
      server.fate = ({ method }) => (method === 'POST' && (saves += 1) <= times ? status : 'answer')
      await session.effects([put(thing)])
      expect(saves).toBe(times + 1)
    }
    await session.close()
    expect(await read()).toMatchObject({ things: ['things.a', 'things.b'] })
  },
)

test('a save that is refused with the name of another owner is not sent again', async () => {
  const { server, open } = await begun()
  const session = await open()
  let saves = 0
  server.fate = ({ method }) => {
    if (method !== 'POST') return 'answer'
    saves += 1
    return { status: 423, body: JSON.stringify({ ID: 'another', Who: 'somebody' }) }
  }
  await expect(session.effects([put('things.a')])).rejects.toThrow(StateConflictError)
  expect(saves).toBe(1)
})

test('a server that says yes and keeps nothing is not believed', async () => {
  const { server, open } = await begun()
  const session = await open()
  always(server, 'POST', 200)
  await expect(session.intent(intentFor('things.a'))).rejects.toThrow('has what was there before')
})
