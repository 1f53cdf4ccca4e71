import { isDeepStrictEqual } from 'node:util'
import { sectionOf, type Entry } from '@deploymgmt/provider/engine'
import type { Written } from '../../adopt/manifest-text.ts'

/** Whether an existing entry says all that was written, whichever projects each of them is for. */
export const saysTheSame = (
  { address, values }: Pick<Entry, 'address' | 'values'>,
  { section, values: written }: Written,
): boolean => {
  const { projectId: _, projectIds: __, ...said } = written
  return (
    sectionOf(address) === section &&
    Object.entries(said).every(([field, value]) => isDeepStrictEqual(values[field], value))
  )
}
