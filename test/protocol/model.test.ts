import { describe, expect, test } from 'vitest'
import { soakKills, tell } from '../support/soak.ts'
import { explore } from './explore.ts'
import type { Bounds, Mutant, Rules } from './state.ts'

/** One command for each owner, and one lock that is removed by a person. */
const FEW: Bounds & { readonly steps: number } = {
  sessions: { A: 1, B: 1 },
  unlocks: 1,
  givenUp: 0,
  steps: 12,
}
/** In addition, a write that its sender gives up before the answer, and that may still arrive. */
const GIVEN_UP = { ...FEW, givenUp: 1, steps: soakKills === undefined ? 9 : 12 }
/** In addition, a second command and a second removed lock. */
const AGAIN = { ...FEW, sessions: { A: 2, B: 1 }, unlocks: 2, steps: soakKills === undefined ? 8 : 12 }

const SEARCHED: readonly [string, Rules, typeof FEW][] = [
  ['creations', { creation: true }, FEW],
  ['changes', { creation: false }, FEW],
  ['creations, and a write that is given up', { creation: true }, GIVEN_UP],
  ['changes, and a write that is given up', { creation: false }, GIVEN_UP],
  ['creations, again and again', { creation: true }, AGAIN],
  ['changes, again and again', { creation: false }, AGAIN],
]

test.each(SEARCHED)(
  'whatever two owners do of %s, none sends under what the other has under way, and nothing that was kept is forgotten',
  (what, rules, bounds) => {
    const { wrong, states, steps } = explore(rules, bounds)
    tell('Protocol', what, { States: states, Steps: steps })
    expect(wrong).toBeUndefined()
    expect(steps).toBe(bounds.steps)
    expect(states).toBeGreaterThan(5000)
  },
)

/** Whether a creation or a change shows that the rule is needed, and what goes wrong without the rule. */
const MUTANTS: Record<Mutant, readonly [creation: boolean, wrong: string]> = {
  wait: [false, 'two owners send under one record'],
  version: [true, 'a request has no intent that is kept'],
  nonce: [true, 'two owners send under one record'],
  certainty: [false, 'two owners send under one record'],
  beginning: [false, 'two owners send under one record'],
  intent: [true, 'a request has no intent that is kept'],
  reach: [true, 'a request has no intent that is kept'],
  deadline: [true, 'a request has no intent that is kept'],
  landed: [false, 'two owners send under one record'],
  ended: [false, 'two owners send under one record'],
  age: [false, 'two owners send under one record'],
}

describe('the search finds that this rule is left out:', () => {
  test.each(Object.entries(MUTANTS))('%s', (without, [creation, what]) => {
    const { wrong } = explore({ creation, without: without as Mutant }, FEW)
    expect(wrong?.what).toBe(what)
  })
})

test('a process that is suspended between the check and the socket is the one thing that is left out, and the search finds it', () => {
  const { wrong } = explore({ creation: false, suspended: true }, FEW)
  expect(wrong).toStrictEqual({
    what: 'two owners send under one record',
    way: expect.arrayContaining(['A may send', 'a person unlocks', 'A sends', 'B sends']),
  })
})
