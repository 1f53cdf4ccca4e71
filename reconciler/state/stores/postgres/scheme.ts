import type { Scheme } from '../address.ts'
import { postgresAddress, stateName } from './address.ts'

/** Scheme for a state in a database. */
export const postgres: Scheme = {
  check: postgresAddress,
  open: async ({ statePath, name = '' }, system) => {
    const { postgresStore } = await import('../postgres.ts')
    const address = postgresAddress(statePath)
    return postgresStore({ ...address, state: stateName(address, name) }, system)
  },
}
