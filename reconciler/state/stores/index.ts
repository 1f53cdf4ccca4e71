import type { Surroundings } from '../host.ts'
import { fileStore } from './file.ts'
import type { Store } from './store.ts'

/** The store that an address means: a path is a file. */
export const storeAt = (address: string, outside: Surroundings): Promise<Store> => fileStore(address, outside)
