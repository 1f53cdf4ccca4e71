import type { Surroundings } from '../host.ts'
import { schemeOf } from './address.ts'
import { fileStore } from './file.ts'
import { defaultBranch, gitAddress } from './git/address.ts'
import type { Store } from './store.ts'

/** Which state is meant. */
export interface Where {
  /** A path, or an address as `addressFrom` gives it. */
  readonly statePath: string
  /** The folder of the manifest; the current one where it is left out. */
  readonly folder?: string
  /** The name of the manifest. */
  readonly name?: string
}

/** The store that an address means: a path is a file. */
export const storeAt = async (where: Where, outside: Surroundings): Promise<Store> => {
  const { statePath, folder = outside.cwd, name = '' } = where
  if (schemeOf(statePath) === undefined) return fileStore(statePath, outside)
  const { gitStore } = await import('./git.ts')
  const address = gitAddress(statePath)
  return gitStore({ ...address, branch: address.branch ?? defaultBranch(name) }, folder, outside)
}
