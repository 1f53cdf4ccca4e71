import { expect, it } from 'vitest'
import { kinds } from '@deploymgmt/provider/kinds'
import { actorOf } from '../../../provider/engine/judge/actor.ts'
import { fieldsOf, foreignEvents } from '../../../provider/engine/judge/events.ts'
import { answeredRead, eventOf } from '../../../provider/engine/read/answer-shape.ts'
import { NO_EVENTS } from '../../../provider/engine/read/events.ts'
import type { RecordedResource } from '../../../provider/engine/values/model.ts'

const definition = kinds.find(({ kind }) => kind === 'user')!
const at = '2026-11-20T12:00:00Z'
const record: RecordedResource = {
  kind: 'user',
  identity: { userId: '5d2e1f0a9b8c7d6e5f4a3b2c' },
  applied: { username: 'dana@example.com', roles: [] },
  answer: null,
  adopted: null,
  onRemove: 'forget',
  lastWrite: { from: at, to: at, by: 'ciadmin', sent: [['roles']] },
  watermark: at,
}

it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  'an event whose type is named %s is one of an unknown type: about any field, and our write can have caused it',
  (eventTypeName) => {
    const events = ['1', '2'].map((id) => ({
      id,
      eventTypeName,
      created: at,
      publicKey: 'ciadmin',
      targetUsername: 'dana@example.com',
      orgId: '5980cfdf0b6d97029d82f86e',
    }))
    const found = foreignEvents(definition, record, { ...NO_EVENTS, events }, 'ciadmin')
    // The one request that was sent can have caused one of the two.
    expect(found).toHaveLength(1)
    expect(fieldsOf(definition, found)).toEqual(['roles'])
    // Nothing tells which of the two, so nobody is named.
    expect(found).toMatchObject([{ eventTypeName, mayBeOwn: true }])
    expect(actorOf(definition, { events: found, all: found }, ['roles'], {})).toBeUndefined()
    const theirs = found.map((event) => ({ ...event, mayBeOwn: false }))
    expect(actorOf(definition, { events: theirs, all: theirs }, ['roles'], {})).toMatchObject({
      eventTypeName,
      confidence: 'medium',
    })
  },
)

it.each([
  ['2026-11-20T12:00:00', at],
  ['2026-11-20T12:00:00.25', '2026-11-20T12:00:00.250Z'],
  ['2026-11-20t12:00:00z', at],
  ['2026-11-20T14:00:00+02:00', '2026-11-20T14:00:00+02:00'],
  ['2026-11-20T12:00:00.123456Z', '2026-11-20T12:00:00.123456Z'],
])('an event of %s is shown with its zone, and as it is if it has one', (created, shown) => {
  const request = answeredRead({ baseUrl: 'http://localhost' }, '/orgs/o/events')
  expect(eventOf({ id: '1', created }, request)).toEqual({ id: '1', created: shown })
})
