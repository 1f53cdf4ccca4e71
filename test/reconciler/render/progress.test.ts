import { describe, expect, it, test } from 'vitest'
import { createProgress, type ProgressUpdate } from '../../../reconciler/text/progress.ts'

const START = Date.parse('2026-11-20T06:00:00Z')

const recorded = (given: { isLive: boolean; quiet?: boolean; width?: number }) => {
  const written: string[] = []
  let at = START
  const progress = createProgress({
    write: (text) => void written.push(text),
    width: 80,
    quiet: false,
    ...given,
    now: () => at,
  })
  return { progress, written, wait: (ms: number) => (at += ms) }
}

/** What a terminal shows so many milliseconds after the start. */
const shownAfter = (ms: number, state: ProgressUpdate): string => {
  const { progress, written, wait } = recorded({ isLive: true })
  wait(ms)
  progress.update(state)
  return written.join('').slice('\r\u001B[K'.length)
}

describe('the live line', () => {
  it('says how far, what, how many and how long', () => {
    const state = {
      done: 12,
      total: 40,
      current: 'POST maintenanceWindows.w11',
      inFlight: 3,
      startedAt: START,
    }
    expect(shownAfter(1714, state)).toBe('12/40 · POST maintenanceWindows.w11 · 3 in flight · about 4 s left')
  })

  it('guesses nothing before there is something to guess from', () => {
    expect(shownAfter(10, { done: 1, total: 40, startedAt: START })).toBe('1/40')
    expect(shownAfter(9_000, { done: 0, total: 40, startedAt: START })).toBe('0/40')
    expect(shownAfter(0, { done: 7 })).toBe('7')
    expect(shownAfter(10_000, { done: 10, total: 400, startedAt: START })).toContain('about 7 min left')
  })

  it('is rewritten in place on a terminal, and gone at the end', () => {
    const { progress, written } = recorded({ isLive: true })
    progress.update({ done: 1, total: 2 })
    progress.update({ done: 1, total: 2 })
    progress.line('  + created   users.dana')
    progress.finish()
    progress.finish()
    expect(written).toEqual(['\r\u001B[K1/2', '\r\u001B[K  + created   users.dana\n1/2', '\r\u001B[K'])
  })

  it('never fills the whole line, and never obeys what it shows', () => {
    const { progress, written } = recorded({ isLive: true, width: 30 })
    progress.update({ done: 1, total: 2, current: `PATCH users.\u001B[31m${'x'.repeat(80)}` })
    const [shown = ''] = written
    expect(shown.slice('\r\u001B[K'.length)).toHaveLength(29)
    expect(shown.slice('\r\u001B[K'.length)).not.toContain('\u001B')
  })
})

test('without a terminal there are plain lines, and a sign of life now and then', () => {
  const { progress, written, wait } = recorded({ isLive: false })
  progress.update({ done: 1, total: 40 })
  progress.line('  + created   users.dana')
  wait(11_000)
  progress.update({ done: 2, total: 40 })
  wait(100)
  progress.update({ done: 3, total: 40 })
  progress.finish()
  expect(written).toEqual(['  + created   users.dana\n', '2/40\n'])
})

it('says nothing when told to be quiet', () => {
  for (const isLive of [true, false]) {
    const { progress, written } = recorded({ isLive, quiet: true })
    progress.update({ done: 1, total: 2 })
    progress.line('x')
    progress.finish()
    expect(written).toEqual([])
  }
})
