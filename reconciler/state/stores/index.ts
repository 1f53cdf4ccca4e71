import type { Surroundings } from '../host.ts'
import { fileStore } from './file.ts'
import type { Store } from './store.ts'

/** Which state is meant. */
export interface Where {
  /** A path, or an address as `addressFrom` gives it. */
  readonly statePath: string
}

/** The store that an address means: a path is a file. */
export const storeAt = ({ statePath }: Where, outside: Surroundings): Promise<Store> =>
  fileStore(statePath, outside)
