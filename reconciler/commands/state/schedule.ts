import { definitionOf } from '@deploymgmt/provider/core'
import { formatAddress, isReplaced, parseAddress, type Records } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { AddressError } from '../../errors/index.ts'
import type { Meant } from './meant.ts'

/**
 * No manifest can declare some occurrences of a schedule and not the others.
 *
 * @throws AddressError if these are a part of them
 */
export const refusePartOfSchedule = (meant: readonly Meant[], resources: Records): void => {
  const all = Object.entries(resources).map(([address, record]) => ({ address, record }))
  for (const [schedule, named] of Map.groupBy(meant, scheduleOf)) {
    if (schedule === undefined) continue
    const occurrences = all.filter((each) => scheduleOf(each) === schedule)
    if (occurrences.length === named.length) continue
    throw new AddressError(
      `what one schedule stands for goes together, and ${schedule} has ${occurrences.length} occurrences, of which ${named.length} ${named.length === 1 ? 'was' : 'were'} named`,
      { hint: `Name it whole: ${schedule}` },
    )
  }
}

/** The address of all occurrences to which this one belongs; undefined if it is none. */
const scheduleOf = ({ address, record: { kind, identity } }: Meant): string | undefined => {
  const { entry, keys } = parseAddress(address)
  const key = keys.at(-1)
  const isByClock = definitionOf(kinds, kind)?.expand.instead !== undefined
  // Without a schedule, the brackets contain only a project.
  if (!isByClock || isReplaced(address) || key === undefined || Object.values(identity).includes(key))
    return undefined
  return formatAddress({ entry, keys: keys.slice(0, -1), replaced: undefined })
}
