import { expect, it } from 'vitest'
import { kinds } from '@deploymgmt/provider/kinds'
import { accepted, isStale, keepable, newRecord, refreshed } from '../../../provider/engine/values/record.ts'
import type { Instance } from '../../../provider/engine/values/instance.ts'
import type { RecordedResource } from '../../../provider/engine/values/model.ts'

const definition = kinds.find(({ kind }) => kind === 'user')!
const EXPRESSION = '${maintenanceWindows.w.id}'
const values = { username: 'dana@example.com', firstName: EXPRESSION, lastName: 'Reyes', password: 'hush' }
const entry = {
  kind: 'user',
  address: 'users.dana',
  values,
  onRemove: 'forget',
  protect: false,
  ignoreChanges: [],
  waiting: [{ field: 'firstName', for: 'maintenanceWindows.w', needs: 'id' }],
  declaredAt: undefined,
}
const identity = { userId: '5d2e1f0a9b8c7d6e5f4a3b2c' }
const instance: Instance = {
  entry,
  definition,
  address: entry.address,
  identity,
  desired: values,
  provenance: 'named',
  sort: 'present',
  unmatched: undefined,
  createBefore: undefined,
}
const now = new Date('2026-11-20T12:00:00Z')
const recordWith = (applied: RecordedResource['applied']): RecordedResource => ({
  ...newRecord(instance, { now }),
  answer: {},
  applied,
})

it('an expression that waits for its value is not kept, and no secret is', () => {
  const kept = { username: 'dana@example.com', lastName: 'Reyes' }
  expect(keepable(instance)).toEqual(kept)
  expect(newRecord(instance, { now }).applied).toEqual(kept)
})

it('what was applied stays while the new value is waited for, and is not stale', () => {
  const record = recordWith({ username: 'dana@example.com', firstName: 'Dana', lastName: 'Reyes' })
  expect(isStale(instance, record)).toBe(false)
  expect(refreshed(instance, record).applied).toEqual(record.applied)
})

it('an expression is never accepted as a value', () => {
  const record = recordWith({ username: 'dana@example.com', firstName: 'Dana', lastName: 'Rey' })
  const { applied, answer } = accepted(record, { definition, entry, events: [], now })
  expect(applied).toEqual({ username: 'dana@example.com', firstName: 'Dana', lastName: 'Reyes' })
  expect(answer).toEqual({ username: 'dana@example.com', lastName: 'Reyes' })
})
