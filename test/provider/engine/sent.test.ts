/**
 * What a lost change may have set is our own, whatever values the field can have. No kind has a readable field of any
 * text, so this file defines one.
 */
import { describe, expect, it } from 'vitest'
import { isNone, string, type KindDefinition } from '@deploymgmt/provider/core'
import { effectsOfLostChange } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { isAsSent } from '../../../provider/engine/judge/sent.ts'
import type { RecordedResource } from '../../../provider/engine/values/model.ts'

const base = kinds.find(({ kind }) => kind === 'alert_configuration')!
if (isNone(base.write)) throw new TypeError('it is written')
const { enabled: _, ...fields } = base.fields
const signpost: KindDefinition = {
  ...base,
  kind: 'signpost',
  fields: { ...fields, text: string('What it says.') },
  write: { ...base.write, fields: ['text'] },
}
const address = 'signposts.a'
const at = '2026-11-20T12:00:00Z'
const record: RecordedResource = {
  kind: 'signpost',
  identity: { projectId: '5c8100bcf2a30b12ff88258f', alertConfigId: '5d1113b25a115342acc2d0f3' },
  applied: { text: 'north' },
  answer: { text: 'north' },
  adopted: { text: 'south' },
  onRemove: 'restore',
  lastWrite: null,
  watermark: at,
}

/** The record after a change to `text` whose answer was lost. */
const afterLost = (before: RecordedResource | undefined, text: string): RecordedResource => {
  const expected = { ...(before ?? record), applied: { text } }
  const write = {
    n: 1,
    address,
    kind: 'signpost',
    method: 'PATCH' as const,
    path: '/',
    fields: ['text'],
    at,
    by: 'ciadmin',
    body: { text },
    expected,
  }
  const span = { from: at, to: at, by: 'ciadmin', sent: [['text']] }
  const records = before === undefined ? {} : { [address]: before }
  const effects = effectsOfLostChange(signpost, write, records, span)
  return effects.flatMap((each) => (each.op === 'put' ? [each.resource] : []))[0]!
}

const isOurs = (of: RecordedResource, live: string): boolean =>
  isAsSent(signpost, { address, record: of }, [{ path: 'text', before: of.applied['text'], after: live }], {})

describe('of a text that is read, after changes of unknown outcome', () => {
  const twice = afterLost(afterLost(record, 'east'), 'west')

  it.each(['north', 'east', 'west'])('%s can be ours', (live) => {
    expect(isOurs(twice, live)).toBe(true)
  })

  it('what none has sent is somebody else’s', () => {
    expect(isOurs(twice, 'up')).toBe(false)
    expect(isOurs(record, 'east')).toBe(false)
  })

  it('what adoption saw can still be there', () => {
    expect(isOurs(afterLost(undefined, 'east'), 'south')).toBe(true)
  })
})
