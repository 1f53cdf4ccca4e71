import { setImmediate as settled } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Limiter } from '../../../provider/api/limiter.ts'

const { signal } = new AbortController()

describe('the limiter', () => {
  it('lets in no more than its limit, in the order of arrival', async () => {
    const limiter = new Limiter(2)
    const first = await limiter.enter(signal)
    const second = await limiter.enter(signal)
    const order: number[] = []
    const third = limiter.enter(signal).then(() => order.push(3))
    const fourth = limiter.enter(signal).then(() => order.push(4))
    first('done')
    await third
    first('done')
    await settled()
    expect(order).toEqual([3])
    second('done')
    await fourth
    expect(order).toEqual([3, 4])
  })

  it('is halved once by refusals of requests that were in flight together, and never below one', async () => {
    const limiter = new Limiter(8)
    const places = await Promise.all(Array.from({ length: 8 }, async () => limiter.enter(signal)))
    for (const release of places) release('limited')
    expect(limiter.allowed).toBe(4)
    for (const _ of [1, 2, 3, 4]) (await limiter.enter(signal))('limited')
    expect(limiter.allowed).toBe(1)
  })

  it('rises again by one for each round of good answers, up to its limit', async () => {
    const limiter = new Limiter(4)
    const pass = async (): Promise<void> => (await limiter.enter(signal))('done')
    ;(await limiter.enter(signal))('limited')
    expect(limiter.allowed).toBe(2)
    for (const _ of [1, 2]) await pass()
    expect(limiter.allowed).toBe(3)
    for (const _ of [1, 2, 3]) await pass()
    expect(limiter.allowed).toBe(4)
    for (const _ of [1, 2, 3, 4, 5]) await pass()
    expect(limiter.allowed).toBe(4)
  })

  it('drops waiting requests that are no longer wanted, without losing a place', async () => {
    const limiter = new Limiter(1)
    const release = await limiter.enter(signal)
    const stop = new AbortController()
    const waiting = limiter.enter(stop.signal)
    const next = limiter.enter(signal)
    stop.abort()
    await expect(waiting).rejects.toThrow('no longer wanted')
    await expect(limiter.enter(stop.signal)).rejects.toThrow('aborted')
    release('done')
    ;(await next)('done')
    await limiter.idle()
  })
})
