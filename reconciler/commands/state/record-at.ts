import { nearest, ownValue } from '@deploymgmt/provider/core'
import { didYouMean } from '@deploymgmt/provider/core/text'
import { entryOf, type RecordedResource } from '@deploymgmt/provider/engine'
import { AddressError } from '../../errors/index.ts'

/** The record at an address that a person gave. @throws AddressError, which names what could be meant */
export const recordAt = (
  records: Readonly<Record<string, RecordedResource>>,
  address: string,
): RecordedResource => {
  // Given by a person: `constructor` is no record, although every object has it.
  const record = ownValue(records, address)
  if (record !== undefined) return record
  const known = Object.keys(records)
  // People leave out the section, or mean what an entry has in one project.
  const begin = address.replace(/\]$/, '')
  const close = known.filter(
    (each) => each.startsWith(begin) || address.startsWith(each) || entryOf(each).endsWith(`.${address}`),
  )
  const meant = close.length === 0 ? misspelt(address, known) : undefined
  throw new AddressError(`nothing is recorded at ${address}${didYouMean(meant)}`, {
    hint: close.length > 0 ? `There is: ${close.slice(0, 5).join(', ')}.` : AddressError.remedy,
  })
}

/** The name of another thing is no misspelling, even if the names are short compared to their section. */
const misspelt = (address: string, known: readonly string[]): string | undefined => {
  // If an entry has several things, their addresses end with keys in brackets, which people leave out.
  const meant = nearest(address, known) ?? nearest(address, known.map(entryOf))
  if (meant === undefined) return undefined
  const [given, name] = [address, meant].map((each) => each.slice(each.indexOf('.') + 1)) as [string, string]
  return given === name || (name.length > 2 && nearest(given, [name]) !== undefined) ? meant : undefined
}
