import { areHere } from '../../../scripts/release/libraries.ts'
import { ownPlatform } from '../../../scripts/release/platforms.ts'

const libraries = ownPlatform()?.runtime?.libraries

/** Where what an executable carries is not on this machine, it would be fetched: tests fetch nothing, and skip it. */
export const wouldFetch = libraries !== undefined && !(await areHere(libraries))
