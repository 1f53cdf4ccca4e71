import type { ControlCall } from './control-call.ts'

/** The requests of clients, for tests that count. */
export const requestCalls: readonly ControlCall[] = [
  {
    method: 'GET',
    path: '/requests',
    summary: 'The request log, and how often each endpoint was called',
    docs: {
      answer: {
        log: [
          {
            method: 'GET',
            path: '/groups/5c8100bcf2a30b12ff88258f/alerts',
            status: 200,
            key: 'ciadmin',
            at: '2030-01-01T00:00:00Z',
          },
        ],
        counts: { 'GET /groups/{projectId}/alerts': 1, challenges: 1 },
      },
      note: '`path` includes the query; `key` is null for a request without authentication; `status` is 0 for a connection that was reset, and null until the answer leaves.',
    },
    handle: ({ log }) => log.snapshot(),
  },
  {
    method: 'DELETE',
    path: '/requests',
    summary: 'Empties the request log and the counts',
    docs: { answer: {} },
    handle: ({ log }) => log.clear(),
  },
]
