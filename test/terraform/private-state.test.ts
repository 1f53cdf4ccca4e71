import type { RecordedResource } from '@deploymgmt/provider/engine'
import { describe, expect, it } from 'vitest'
import { readPrivate, writePrivate, type PrivateState } from '../../provider/terraform/codec/private-state.ts'

const identity = { projectId: '5c8100bcf2a30b12dd123456', alertConfigId: '5d1113b25a115342acc2d001' }

const record = (more: Partial<RecordedResource>): RecordedResource => ({
  kind: 'alert_configuration',
  identity,
  applied: { ...identity, enabled: true },
  answer: { ...identity, enabled: true },
  adopted: { ...identity, enabled: false },
  onRemove: 'forget',
  lastWrite: null,
  watermark: '2026-01-06T02:00:00.000Z',
  ...more,
})

const stateOf = (one: RecordedResource): PrivateState => ({
  is: 'remembered',
  records: { one },
  seen: ['event'],
})

const textOf = (state: PrivateState): string => Buffer.from(writePrivate(state)).toString()

describe('private state', () => {
  it.each([
    ['of a thing that was adopted as it is declared', { adopted: { ...identity, enabled: true } }],
    ['of a thing that was adopted otherwise', {}],
    ['of a thing that was created', { adopted: null }],
    ['of a thing whose answer is not known', { answer: null, adopted: null }],
    ['of values that lack a part of the name', { applied: { projectId: identity.projectId, enabled: true } }],
    [
      'of values that say another name',
      { applied: { ...identity, alertConfigId: '5d1113b25a115342acc2d002' } },
    ],
    ['of a thing without a name yet', { identity: {}, applied: { enabled: true } }],
  ])('%s is read as it was', (_, more) => {
    const state = stateOf(record(more))
    expect(readPrivate(writePrivate(state))).toEqual(state)
  })

  it('says the name of a thing once', () => {
    expect(textOf(stateOf(record({}))).split(identity.alertConfigId)).toHaveLength(2)
  })

  it('that was not handed over is written as one without records', () => {
    const none = readPrivate(new Uint8Array())
    expect(none).toEqual({ is: 'none' })
    expect(readPrivate(writePrivate(none))).toEqual({ is: 'remembered', records: {} })
  })

  it('that was lost is known to be lost', () => {
    const lost: PrivateState = { is: 'remembered', records: {}, lost: true }
    expect(readPrivate(writePrivate(lost))).toEqual(lost)
  })

  it('of an import is written as before, and read as an import', () => {
    const imported: PrivateState = { is: 'imported', importedAt: '2026-01-06T02:00:00.000Z', untold: true }
    const written = { records: {}, importedAt: '2026-01-06T02:00:00.000Z', untold: true }
    expect(JSON.parse(textOf(imported))).toEqual(written)
    expect(readPrivate(Buffer.from(JSON.stringify(written)))).toEqual(imported)
  })
})
