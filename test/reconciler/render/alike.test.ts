import { describe, expect, it } from 'vitest'
import { foldingOf } from '../../../reconciler/render/terminal/alike.ts'
import { finished } from './support/apply.ts'
import { style } from './support/documents.ts'

type Finished = Parameters<typeof finished>[0]

/** What remains of so many events, on a terminal unless said otherwise, if as many changes were planned. */
const shownOf = (
  count: number,
  given: Omit<Finished, 'address'>,
  { all = false, isTerminal = true } = {},
) => {
  const events = Array.from({ length: count }, (_, index) =>
    finished({ status: 'done', action: 'update', ...given, address: `users.u${index}` }),
  )
  const planned = events.map(({ address, action }) => ({
    address,
    action,
    requests: given.written === true ? [{ method: 'PATCH' as const, path: '/users' }] : [],
  }))
  const folded = foldingOf(style({ isTerminal, all, sameFlags: ' -f ./' }), planned)
  return { shown: events.filter(folded.isShown).length, rest: folded.rest() }
}

describe('on a terminal, while an apply runs,', () => {
  it('more than a hundred that do the same are twenty lines and a count', () => {
    expect(shownOf(101, { written: true })).toEqual({
      shown: 20,
      rest: ['    users, changed: 81 more; deploymgmt state list -f ./ names what is recorded'],
    })
  })

  it('a hundred have a line each', () => {
    expect(shownOf(100, { written: true })).toEqual({ shown: 100, rest: [] })
  })

  it('all have a line each where that is asked for', () => {
    expect(shownOf(300, { written: true }, { all: true })).toEqual({ shown: 300, rest: [] })
  })

  it.each(['failed', 'unknown', 'unsaved'] as const)('what is %s has a line each', (status) => {
    const error = { code: 'DM-REQUEST', message: 'one of many' }
    expect(shownOf(300, { status, error })).toEqual({ shown: 300, rest: [] })
  })

  it.each(['blocked', 'skipped', 'expired'] as const)('what is %s is eight lines and a count', (status) => {
    expect(shownOf(8, { status })).toEqual({ shown: 8, rest: [] })
    expect(shownOf(300, { status })).toEqual({ shown: 8, rest: [`    users, ${status}: 292 more`] })
    expect(shownOf(300, { status }, { all: true })).toEqual({ shown: 300, rest: [] })
  })

  it.each([
    ['adopt', 'adopted'],
    ['moved', 'renamed'],
  ] as const)('what sends nothing (%s) is five lines and a count, as in a plan', (action, done) => {
    expect(shownOf(8, { action })).toEqual({ shown: 8, rest: [] })
    expect(shownOf(560, { action })).toEqual({
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
    expect(shownOf(300, { action, written: true })).toEqual({ shown: 300, rest: [] })
  })
})

describe('in a log, while an apply runs,', () => {
  const inLog = { isTerminal: false }

  it('what sends nothing folds as in a plan, unless all is asked for', () => {
    expect(shownOf(64, { action: 'adopt' }, inLog)).toEqual({
      shown: 5,
      rest: ['    users, adopted: 59 more; deploymgmt state list -f ./ names what is recorded'],
    })
    expect(shownOf(64, { action: 'adopt' }, { ...inLog, all: true })).toEqual({ shown: 64, rest: [] })
  })

  it('what sends something, or is not done, has a line each', () => {
    expect(shownOf(300, { written: true }, inLog)).toEqual({ shown: 300, rest: [] })
    expect(shownOf(300, { status: 'blocked' }, inLog)).toEqual({ shown: 300, rest: [] })
  })
})
