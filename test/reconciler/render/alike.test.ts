import { describe, expect, it } from 'vitest'
import { foldingOf } from '../../../reconciler/render/terminal/alike.ts'
import { finished } from './support/apply.ts'
import { style } from './support/documents.ts'

type Finished = Parameters<typeof finished>[0]

/** What remains of so many events on a terminal, if as many changes were planned. */
const onTerminal = (count: number, given: Omit<Finished, 'address'>, all = false) => {
  const events = Array.from({ length: count }, (_, index) =>
    finished({ status: 'done', action: 'update', ...given, address: `users.u${index}` }),
  )
  const planned = events.map(({ address, action }) => ({
    address,
    action,
    requests: given.written === true ? [{ method: 'PATCH' as const, path: '/users' }] : [],
  }))
  const folded = foldingOf(style({ isTerminal: true, all, sameFlags: ' -f ./' }), planned)
  return { shown: events.filter(folded.isShown).length, rest: folded.rest() }
}

describe('on a terminal, while an apply runs,', () => {
  it('more than a hundred that do the same are twenty lines and a count', () => {
    expect(onTerminal(101, { written: true })).toEqual({
      shown: 20,
      rest: ['    users, changed: 81 more; deploymgmt state list -f ./ names what is recorded'],
    })
  })

  it('a hundred have a line each', () => {
    expect(onTerminal(100, { written: true })).toEqual({ shown: 100, rest: [] })
  })

  it('all have a line each where that is asked for', () => {
    expect(onTerminal(300, { written: true }, true)).toEqual({ shown: 300, rest: [] })
  })

  it.each(['failed', 'unknown', 'unsaved'] as const)('what is %s has a line each', (status) => {
    const error = { code: 'DM-REQUEST', message: 'one of many' }
    expect(onTerminal(300, { status, error })).toEqual({ shown: 300, rest: [] })
  })

  it.each(['blocked', 'skipped', 'expired'] as const)('what is %s is eight lines and a count', (status) => {
    expect(onTerminal(8, { status })).toEqual({ shown: 8, rest: [] })
    expect(onTerminal(300, { status })).toEqual({ shown: 8, rest: [`    users, ${status}: 292 more`] })
    expect(onTerminal(300, { status }, true)).toEqual({ shown: 300, rest: [] })
  })

  it.each([
    ['adopt', 'adopted'],
    ['moved', 'renamed'],
  ] as const)('what sends nothing (%s) is five lines and a count, as in a plan', (action, done) => {
    expect(onTerminal(8, { action })).toEqual({ shown: 8, rest: [] })
    expect(onTerminal(560, { action })).toEqual({
      shown: 5,
      rest: [`    users, ${done}: 555 more; deploymgmt state list -f ./ names what is recorded`],
    })
  })

  it('remarks that all differ take a hundred lines at most', () => {
    const events = Array.from({ length: 560 }, (_, index) =>
      finished({ action: 'adopt', address: `users.u${index}`, notes: [`remark ${index}`] }),
    )
    const planned = events.map(({ address, action }) => ({ address, action, requests: [] }))
    const { isShown } = foldingOf(style({ isTerminal: true }), planned)
    expect(events.filter(isShown)).toHaveLength(100)
  })

  it.each(['delete', 'release'] as const)('what is gone after it has a line each (%s)', (action) => {
    expect(onTerminal(300, { action, written: true })).toEqual({ shown: 300, rest: [] })
  })
})
