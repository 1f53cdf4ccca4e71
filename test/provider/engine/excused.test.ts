/** A creation of unknown outcome in another state excuses what it may have made, and nothing else. */
import { describe, expect, it } from 'vitest'
import { excusing, type LostWrite } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'

const PROJECT = '5c8100bcf2a30b12ff88258f'
const OTHER_PROJECT = '5c8100bcf2a30b12ff882590'
const at = '2026-11-20T12:00:00Z'
const values = {
  projectId: PROJECT,
  alertTypeNames: ['HOST'],
  startDate: '2026-12-05T02:00:00Z',
  endDate: '2026-12-05T04:00:00Z',
}
const lost = (n: number, more: Partial<LostWrite> = {}): LostWrite => ({
  n,
  address: `maintenanceWindows.w${n}`,
  kind: 'maintenance_window',
  method: 'POST',
  path: `/groups/${PROJECT}/maintenanceWindows/`,
  fields: Object.keys(values),
  at,
  by: 'ciadmin',
  expected: {
    kind: 'maintenance_window',
    identity: { projectId: PROJECT },
    applied: values,
    answer: null,
    adopted: null,
    onRemove: 'end',
    lastWrite: null,
    watermark: at,
  },
  ...more,
})
const made = (id: string, told: object = {}, more: { projectId?: string; created?: string } = {}) => ({
  made: {
    kind: 'maintenance_window',
    identity: { projectId: more.projectId ?? PROJECT, id },
    at: more.created ?? at,
  },
  told: { ...told },
})
const idsOf = (writes: readonly LostWrite[], things: readonly ReturnType<typeof made>[]) => {
  const { excused, contested } = excusing(kinds, writes)(things)
  const [own, competing] = [excused, contested].map((all) => [...all].map(({ identity }) => identity['id']))
  return { excused: own, contested: competing }
}

describe('a lost creation', () => {
  it('excuses the thing that it may have made', () => {
    expect(idsOf([lost(1)], [made('a', values)])).toEqual({ excused: ['a'], contested: [] })
  })

  it.each([
    ['shows other values', made('a', { ...values, endDate: '2026-12-05T05:00:00Z' })],
    ['is in another project', made('a', {}, { projectId: OTHER_PROJECT })],
    ['was made before', made('a', {}, { created: '2026-11-20T11:59:00Z' })],
    ['was made long after', made('a', {}, { created: '2026-11-20T13:00:00Z' })],
  ])('excuses nothing that %s', (_, thing) => {
    expect(idsOf([lost(1)], [thing])).toEqual({ excused: [], contested: [] })
  })

  it('that is a change excuses nothing', () => {
    expect(idsOf([lost(1, { method: 'PATCH' })], [made('a')])).toEqual({ excused: [], contested: [] })
  })

  it('that is bound to one thing excuses that one alone, and any other once that is denied', () => {
    const things = [made('a'), made('b')]
    expect(idsOf([lost(1, { bound: { id: 'a' } })], things)).toEqual({ excused: ['a'], contested: [] })
    const denied = lost(1, { bound: { id: 'a', denied: true } })
    expect(idsOf([denied], [made('b')])).toEqual({ excused: ['b'], contested: [] })
  })

  it('has made one thing at most: two that compete for it are contested, and two creations excuse both', () => {
    const things = [made('a'), made('b')]
    expect(idsOf([lost(1)], things)).toEqual({ excused: [], contested: ['a', 'b'] })
    const particular = lost(2, { bound: { id: 'a' } })
    expect(idsOf([lost(1), particular], things)).toEqual({ excused: ['a', 'b'], contested: [] })
  })
})
