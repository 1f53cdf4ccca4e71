/** What the creations of one run of Terraform know of each other, beyond what a test of the real Terraform can order. */
import { reason, type LostWrite, type RecordedResource } from '@deploymgmt/provider/engine'
import { expect, it } from 'vitest'
import { Creations, type CreationOutcome } from '../../provider/terraform/connection/creations.ts'

const at = '2026-11-20T12:00:00Z'
const windowOf = (id?: string): RecordedResource => ({
  kind: 'maintenance_window',
  identity: { projectId: '5c8100bcf2a30b12ff88258f', ...(id === undefined ? {} : { id }) },
  applied: {},
  answer: null,
  adopted: null,
  onRemove: 'end',
  lastWrite: null,
  watermark: at,
})
const lost = (n: number): LostWrite => ({
  n,
  address: `window.w${n}`,
  kind: 'maintenance_window',
  method: 'POST',
  path: '/maintenanceWindows/',
  fields: [],
  at,
  by: 'ciadmin',
  expected: windowOf(),
})
const madeAs = (id: string): CreationOutcome => ({
  is: 'made',
  effects: [{ op: 'put', address: 'window.w1', resource: windowOf(id) }],
  how: reason('nobody-told'),
})

it('of a settled creation it is known what it made before its own resource has recorded it', async () => {
  const creations = new Creations()
  const [first, second] = [lost(await creations.begin(lost(0))), lost(await creations.begin(lost(0)))]
  for (const each of [first, second]) creations.lose(each)
  const open: CreationOutcome = { is: 'open', because: undefined }
  await creations.outcomeOf(first, (all) => {
    expect(all).toEqual([first, second])
    return Promise.resolve(
      new Map([
        [first, madeAs('one')],
        [second, open],
      ]),
    )
  })
  expect(creations.made).toMatchObject([{ identity: { id: 'one' } }])
  expect([...creations.open]).toEqual([second])
})
