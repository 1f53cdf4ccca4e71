import type { ControlCall } from './control-call.ts'

/** What clients have sent, for tests that count. */
export const requestCalls: readonly ControlCall[] = [
  {
    method: 'GET',
    path: '/requests',
    summary: 'The request log, and how often each endpoint was called',
    handle: ({ log }) => log.snapshot(),
  },
  {
    method: 'DELETE',
    path: '/requests',
    summary: 'Empties the request log and the counts',
    handle: ({ log }) => log.clear(),
  },
]
