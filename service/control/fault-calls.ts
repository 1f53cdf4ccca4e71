import { FixtureProblem } from '../fixture/problems.ts'
import type { ControlCall } from './control-call.ts'
import { FaultSpec, faultKinds } from './fault-schema.ts'

/** Faults, which only affect authenticated requests. */
export const faultCalls: readonly ControlCall[] = [
  {
    method: 'POST',
    path: '/faults',
    summary:
      'Adds a fault; with neither count nor probability it meets every matching request until it is cleared',
    body: FaultSpec,
    docs: {
      bodies: [{ method: 'POST', path: '^/users', fault: 'latency', ms: 20, count: 5 }],
      answer: { id: 1 },
      note: 'All faults and their fields are [below](#faults).',
    },
    handle: ({ faults }, { body }) => {
      const spec = body as FaultSpec
      checkPattern(spec.path ?? '')
      const { needs } = faultKinds[spec.fault]
      if (needs && spec[needs] === undefined) throw new FixtureProblem(needs, 'missing')
      return { id: faults.add(spec) }
    },
  },
  {
    method: 'GET',
    path: '/faults',
    summary: 'The active faults, and how many requests each will still affect',
    docs: {
      answer: {
        results: [
          { id: 1, left: 5, spec: { method: 'POST', path: '^/users', fault: 'latency', ms: 20, count: 5 } },
        ],
      },
      note: '`left` is null for a fault without `count`.',
    },
    handle: ({ faults }) => ({ results: faults.list() }),
  },
  {
    method: 'DELETE',
    path: '/faults',
    summary: 'Clears all faults',
    docs: { answer: {} },
    handle: ({ faults }) => faults.clear(),
  },
]

const checkPattern = (pattern: string): void => {
  try {
    new RegExp(pattern).test('')
  } catch {
    throw new FixtureProblem('path', 'not a regular expression')
  }
}
