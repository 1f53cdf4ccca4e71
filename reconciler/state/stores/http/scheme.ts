import type { Scheme } from '../address.ts'
import { httpAddress, refusePlain } from './address.ts'

/** Scheme for Terraform's http backend. */
export const http: Scheme = {
  check: httpAddress,
  open: async ({ statePath, allowHttp }, system) => {
    const address = httpAddress(statePath)
    refusePlain(address, allowHttp)
    const { httpStore } = await import('../http.ts')
    return httpStore(address, system)
  },
}
