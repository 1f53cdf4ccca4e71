import { expect, test } from 'vitest'
import { isWorst, worstFirst } from '../../../reconciler/render/worst-first.ts'

const things = {
  other: {},
  drifted: { verdict: 'drifted' },
  'ours, silent': { verdict: 'drifted', silences: true },
  gone: { verdict: 'drifted', reasonCode: 'gone-at-service' },
  'to come': { silences: true },
  'in force': { silences: true, isInForce: true },
} as const

test('silences that nobody declares come first, and among them those in force', () => {
  const names = Object.keys(things) as (keyof typeof things)[]
  const sorted = ['in force', 'to come', 'gone', 'ours, silent', 'other', 'drifted']
  expect(worstFirst(names, (name) => things[name])).toEqual(sorted)
  expect(names.filter((name) => isWorst(things[name]))).toEqual(sorted.slice(0, 4).toReversed())
})
