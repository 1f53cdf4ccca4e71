import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, it } from 'vitest'
import { reason } from '../../../provider/engine/reason.ts'
import { validatePlan } from '../../../provider/engine/plan/validate.ts'
import type { Change } from '../../../provider/engine/values/model.ts'
import type { PlannedChange, Work } from '../../../provider/engine/plan/work.ts'

const change = (details: Partial<Change>): Change => ({
  address: 'users.dana',
  kind: 'user',
  action: 'unchanged',
  reason: reason('as-declared'),
  before: null,
  after: null,
  fields: [],
  evidence: { level: 'read' },
  requests: [],
  ...details,
})
const refused = (details: Partial<Change>, work: object, ...more: PlannedChange[]): (() => unknown) => {
  const one = { change: change(details), work: work as Work }
  return () => validatePlan([...more, one], kinds)
}
const PATCH = [{ method: 'PATCH', path: '/users/u' }] as const
const write = { do: 'write', fields: ['roles'], learnBy: [] }

describe('a plan', () => {
  it('that shows what it does is taken as it is', () => {
    const planned = [
      { change: change({ action: 'update', requests: PATCH }), work: write as unknown as Work },
    ]
    expect(validatePlan(planned, kinds)).toBe(planned)
  })

  it.each<[string, Partial<Change>, object]>([
    ['shows unchanged and does delete', {}, { do: 'delete' }],
    ['shows requests and sends none', { action: 'blocked', requests: PATCH }, { do: 'keep' }],
    ['does not show its PATCH', { action: 'update' }, write],
    ['does not show its POST', { action: 'create', requests: PATCH }, { do: 'create' }],
    [
      'writes username, which no call changes',
      { action: 'update', requests: PATCH },
      { ...write, fields: ['username'] },
    ],
    [
      'creates what cannot be created',
      { kind: 'api_key', action: 'create', requests: [{ method: 'POST', path: '/x' }] },
      { do: 'create' },
    ],
    [
      'deletes what cannot be deleted',
      { action: 'delete', requests: [{ method: 'DELETE', path: '/x' }] },
      { do: 'delete' },
    ],
    ['writes what cannot be written', { kind: 'integration', action: 'update', requests: PATCH }, write],
    [
      'releases in a way that the kind has not',
      { action: 'release', requests: PATCH },
      { do: 'release', way: { way: 'send' } },
    ],
    ['is of the unknown kind backup', { kind: 'backup' }, { do: 'keep' }],
  ])('that %s is refused', (fault, details, work) => {
    expect(refused(details, work)).toThrow(fault)
  })

  it('that writes twice at one address is refused', () => {
    const update = { change: change({ action: 'update', requests: PATCH }), work: write as unknown as Work }
    expect(refused({ action: 'update', requests: PATCH }, write, update)).toThrow('writes twice')
  })
})
