import { evidenceAfterWrite, type RecordedResource } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, it } from 'vitest'

const [user, integration] = ['user', 'integration'].map((name) => kinds.find(({ kind }) => kind === name)!)
const ROLES = [{ roleName: 'ORG_MEMBER', orgId: '5980cfdf0b6d97029d82f86e' }]
const at = '2026-11-20T12:00:00Z'
const record: RecordedResource = {
  kind: 'user',
  identity: { userId: '5d2e1f0a9b8c7d6e5f4a3b2c' },
  applied: { roles: ROLES },
  answer: null,
  adopted: null,
  onRemove: 'forget',
  lastWrite: { from: at, to: at, by: 'ci', sent: [['roles']] },
  watermark: at,
}
const roles = { roles: ROLES }

describe('what is known right after a write', () => {
  it.each([
    ['is recorded where the values are those that were written', record, roles, 'recorded'],
    ['is recorded where none is kept', record, {}, 'recorded'],
    ['is unknown where another value is kept than was written', record, { roles: [] }, 'unknown'],
    ['is unknown where something was left over', { ...record, leftover: { roles: ROLES } }, roles, 'unknown'],
    ['is unknown where the outcome is not known', { ...record, unsure: ['roles'] }, roles, 'unknown'],
    ['is unknown where nothing was ever written', { ...record, lastWrite: null }, roles, 'unknown'],
    ['is unknown where nothing is recorded', undefined, roles, 'unknown'],
  ] as const)('of a thing that no endpoint shows %s', (_, written, kept, level) => {
    expect(evidenceAfterWrite(user!, written, kept)).toBe(level)
  })

  it('of a thing that can be read is what was read, but for an outcome that is not known', () => {
    expect(evidenceAfterWrite(integration!, undefined)).toBe('read')
    expect(evidenceAfterWrite(integration!, { ...record, unsure: ['url'] })).toBe('unknown')
  })
})
