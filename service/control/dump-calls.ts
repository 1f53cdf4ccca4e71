import { settleAlerts } from '../alerts/engine.ts'
import { dump } from '../fixture/dump.ts'
import type { ControlCall } from './control-call.ts'

/** The contents of the service, and the notifications that it has sent. */
export const dumpCalls: readonly ControlCall[] = [
  {
    method: 'GET',
    path: '/dump',
    summary: 'The whole state as a fixture, secrets included',
    docs: {
      answer: { settings: {}, organizations: [], projects: [], users: [], globalAlerts: [] },
      note: 'Every list is present, also an empty one. A user has `roles`, which are in effect, and `invitations`, which are pending.',
    },
    handle: ({ context }) => {
      settleAlerts(context)
      return dump(context)
    },
  },
  {
    method: 'GET',
    path: '/notifications',
    summary: 'The notifications that fell due and were not silenced, oldest first',
    docs: {
      answer: {
        results: [
          {
            alertId: '5d1f2a3b4c5d6e7f8091a2b3',
            alertConfigId: '5d1113b25a115342acc2d1aa',
            typeName: 'EMAIL',
            at: '2030-01-01T00:00:00Z',
            event: 'open',
          },
        ],
      },
      note: '`event` is `open` or `close`.',
    },
    handle: ({ context }) => {
      settleAlerts(context)
      return { results: context.notifications.list() }
    },
  },
  {
    method: 'DELETE',
    path: '/notifications',
    summary: 'Forgets the notifications sent so far',
    docs: { answer: {} },
    handle: ({ context }) => {
      settleAlerts(context)
      context.notifications.clear()
    },
  },
]
