import { expect, test } from 'vitest'
import { isWorst, worstFirst } from '../../../reconciler/render/document/worst-first.ts'

const things = {
  other: {},
  drifted: { verdict: 'drifted' },
  'ours, silent': { verdict: 'drifted', silences: true },
  gone: { verdict: 'drifted', reasonCode: 'gone-at-service' },
  'to come': { silences: true },
  'an owner more': { verdict: 'drifted', owns: true },
  "a stranger's owner": { owns: true },
  off: { verdict: 'drifted', turnsOff: true },
  'in force': { silences: true, isInForce: true, endsAt: '2030-01-01T00:00:00Z' },
  'in force for long': { silences: true, isInForce: true, endsAt: '2031-01-01T00:00:00Z' },
} as const

test('silences in force come first, the longest before others, then owners, what is off, and what will be silent', () => {
  const names = Object.keys(things) as (keyof typeof things)[]
  const sorted = [
    'in force for long',
    'in force',
    'an owner more',
    "a stranger's owner",
    'off',
    'to come',
    'gone',
    'ours, silent',
    'other',
    'drifted',
  ]
  expect(worstFirst(names, (name) => things[name])).toEqual(sorted)
  expect(new Set(names.filter((name) => isWorst(things[name])))).toEqual(new Set(sorted.slice(0, -2)))
})
