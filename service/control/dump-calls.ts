import { settleAlerts } from '../alerts/engine.ts'
import { dump } from '../fixture/dump.ts'
import type { ControlCall } from './control-call.ts'

/** What the service holds and has sent. */
export const dumpCalls: readonly ControlCall[] = [
  {
    method: 'GET',
    path: '/dump',
    summary: 'The whole state as a fixture, secrets included',
    handle: ({ context }) => {
      settleAlerts(context)
      return dump(context)
    },
  },
  {
    method: 'GET',
    path: '/notifications',
    summary: 'The notifications that fell due and were not silenced, oldest first',
    handle: ({ context }) => {
      settleAlerts(context)
      return { results: context.notifications.list() }
    },
  },
  {
    method: 'DELETE',
    path: '/notifications',
    summary: 'Forgets the notifications sent so far',
    handle: ({ context }) => {
      settleAlerts(context)
      context.notifications.clear()
    },
  },
]
