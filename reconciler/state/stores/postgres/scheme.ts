import type { Scheme } from '../address.ts'
import { postgresAddress, stateMeant } from './address.ts'

/** Scheme for a state in a database. */
export const postgres: Scheme = {
  check: postgresAddress,
  open: async ({ statePath, name = '' }, outside) => {
    const { postgresStore } = await import('../postgres.ts')
    const address = postgresAddress(statePath)
    return postgresStore({ ...address, state: stateMeant(address, name) }, outside)
  },
}
