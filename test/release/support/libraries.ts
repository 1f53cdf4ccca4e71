import { areHere } from '../../../scripts/release/libraries.ts'
import { ownPlatform } from '../../../scripts/release/platforms.ts'

const libraries = ownPlatform()?.runtime?.libraries

/** Whether the libraries of an executable would have to be downloaded: tests download nothing, and are skipped then. */
export const wouldFetch = libraries !== undefined && !(await areHere(libraries))
