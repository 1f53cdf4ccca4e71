import { expect, it } from 'vitest'
import { reason, type Unsettled } from '@deploymgmt/provider/engine'
import { undecided } from '../../reconciler/commands/run/unknown-outcomes.ts'

const NOW = '2026-11-20T12:00:10Z'

/** A creation that was sent at that time and given up at once, with an unknown outcome. */
const lost = (n: number, at: string, method: 'POST' | 'PATCH' = 'POST'): Unsettled => ({
  is: 'open',
  because: reason('nowhere-to-look'),
  write: {
    n,
    address: `things.t${String(n)}`,
    kind: 'thing',
    method,
    path: '/things',
    fields: [],
    at,
    by: 'oncall',
    tookMs: 0,
    expected: { kind: 'thing', identity: {}, applied: {}, adopted: null },
  } as unknown as Unsettled['write'],
})

it.each([
  ['the request', [lost(1, '2026-11-20T12:00:00Z')]],
  ['the requests', [lost(1, '2026-11-20T12:00:00Z'), lost(2, '2026-11-20T12:00:01Z')]],
  ['1 of the requests', [lost(1, '2026-11-20T12:00:00Z'), lost(2, '2026-11-20T11:00:00Z')]],
  ['1 of the requests', [lost(1, '2026-11-20T12:00:00Z'), lost(2, '2026-11-20T12:00:00Z', 'PATCH')]],
])('says how many of what is unknown can still take effect: %s', (which, open) => {
  const { hint } = undecided({ unknown: [] }, open, { now: Date.parse(NOW), sameFlags: '' })
  expect(hint).toMatch(
    new RegExp(
      `^Run deploymgmt apply after [^\\n]+: ${which} could still take effect until then at the service, even if the command that sent `,
    ),
  )
})
