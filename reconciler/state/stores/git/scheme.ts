import type { Scheme } from '../address.ts'
import { defaultBranch, gitAddress } from './address.ts'

/** Scheme for a state on a branch. */
export const git: Scheme = {
  check: gitAddress,
  open: async ({ statePath, folder, name = '' }, system) => {
    const { gitStore } = await import('../git.ts')
    const address = gitAddress(statePath)
    const branch = address.branch ?? defaultBranch(name)
    return gitStore({ ...address, branch }, folder ?? system.cwd, system)
  },
}
