import { expect, it } from 'vitest'
import { kinds } from '@deploymgmt/provider/kinds'
import { recordedEvidence } from '../../../provider/engine/judge/evidence.ts'
import { NO_EVENTS } from '../../../provider/engine/read/events.ts'
import type { RecordedResource } from '../../../provider/engine/values/model.ts'

const ORG = '5980cfdf0b6d97029d82f86e'
const definition = kinds.find(({ kind }) => kind === 'user')!
const record: RecordedResource = {
  kind: 'user',
  identity: { userId: '5d2e1f0a9b8c7d6e5f4a3b2c' },
  applied: { username: 'dana@example.com', roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }] },
  answer: null,
  adopted: null,
  onRemove: 'forget',
  lastWrite: {
    from: '2026-11-20T12:00:10.2Z',
    to: '2026-11-20T12:00:10.7Z',
    by: 'ciadmin',
    sent: [['roles']],
  },
  watermark: '2026-11-20T12:00:10.7Z',
}
const declaration = {
  name: 'test',
  entries: [],
  organizations: new Map(),
  orgIds: [ORG],
  projectNames: new Map(),
}

it.each([
  ['of an earlier write, which shows nothing of this one,', '11:00:00Z', 'no-event-visible'],
  ['of the write itself', '12:00:10.5Z', 'no-event-since'],
  ['of the same moment, in whole seconds', '12:00:10Z', 'no-event-since'],
  ['of a second after the write had ended', '12:00:12.3Z', 'no-event-since-but-near'],
])('an event by our key %s counts as ours, and what is said of it is true', (_, time, code) => {
  const event = {
    id: '6b00c3f15d1113b25a115342',
    eventTypeName: 'USER_ROLES_CHANGED_AUDIT',
    created: `2026-11-20T${time}`,
    publicKey: 'ciadmin',
    targetUsername: 'dana@example.com',
    orgId: ORG,
  }
  const log = { ...NO_EVENTS, events: [event], read: new Set([ORG]) }
  const { level, notes } = recordedEvidence(definition, record, { declaration, log, ownKey: 'ciadmin' })
  expect({ level, last: notes?.at(-1)?.code }).toEqual({ level: 'recorded', last: code })
})
