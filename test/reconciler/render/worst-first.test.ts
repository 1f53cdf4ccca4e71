import { expect, test } from 'vitest'
import { isWorst, worstFirst } from '../../../reconciler/render/worst-first.ts'

const things = {
  other: {},
  drifted: { verdict: 'drifted' },
  'ours, silent': { verdict: 'drifted', silences: true },
  gone: { verdict: 'drifted', reasonCode: 'gone-at-service' },
  'to come': { silences: true },
  'in force': { silences: true, isInForce: true, endsAt: '2030-01-01T00:00:00Z' },
  'in force for long': { silences: true, isInForce: true, endsAt: '2031-01-01T00:00:00Z' },
} as const

test('silences that nobody declares come first, and among them those in force, the longest first', () => {
  const names = Object.keys(things) as (keyof typeof things)[]
  const sorted = ['in force for long', 'in force', 'to come', 'gone', 'ours, silent', 'other', 'drifted']
  expect(worstFirst(names, (name) => things[name])).toEqual(sorted)
  expect(names.filter((name) => isWorst(things[name]))).toEqual([
    ...sorted.slice(2, 5).toReversed(),
    'in force',
    'in force for long',
  ])
})
