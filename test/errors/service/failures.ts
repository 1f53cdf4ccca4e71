import { GROUP, type Refusals } from './refusal.ts'
import { withFullDisk } from './full-disk.ts'

/** Internal errors, and faults that the service was asked for. */
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
