import { GROUP, type Refusals } from './refusal.ts'
import { withFullDisk } from './full-disk.ts'

/** What the service does not foresee, and what it was asked to fail with. */
export const failures: Refusals = {
  FAULT: {
    status: 503,
    ask: async ({ call, control }) => {
      await control('POST', '/faults', { fault: 'status', status: 503 })
      return call('GET', `${GROUP}/alerts`)
    },
  },
  UNEXPECTED_ERROR: { status: 500, ask: withFullDisk },
}
