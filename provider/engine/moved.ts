import { same } from './compare.ts'
import type { Instance } from './expand.ts'
import { identityKey, isComplete } from './identity.ts'
import type { RecordedResource, Records } from './model.ts'

/** A record that a new address takes over. */
export interface Move {
  readonly from: string
  readonly to: string
}

/**
 * New addresses that are old things under another name: exactly one undeclared record fits, and it fits no
 * other. A record that waits for its release (`[replaced …]`) is on its way out and never taken.
 */
export const findMoves = (
  instances: readonly Instance[],
  records: Records,
  elsewhere: readonly string[] = [],
): Move[] => {
  const declared = new Set(instances.map(({ address }) => address))
  const undeclared = Object.entries(records)
    .filter(
      ([address]) =>
        !declared.has(address) &&
        !elsewhere.some((entry) => belongsTo(address, entry)) &&
        !address.includes('[replaced '),
    )
    .map(([address, record]) => ({ address, record }))
  const proposals = instances
    .filter(({ address, unmatched }) => records[address] === undefined && unmatched === undefined)
    .map((instance) => ({ instance, fits: undeclared.filter(({ record }) => isRenamed(instance, record)) }))
    .filter(({ fits }) => fits.length === 1)
    .map(({ instance, fits }) => ({ from: fits[0]?.address ?? '', to: instance.address }))
  return proposals.filter(({ from }) => proposals.filter((other) => other.from === from).length === 1)
}

const isRenamed = (
  { definition, identity, desired, standing, absent }: Instance,
  record: RecordedResource,
): boolean => {
  if (record.kind !== definition.kind) return false
  if ((record.standing ?? false) !== standing || (record.absent ?? false) !== absent) return false
  const { scope, recognisedBy } = definition.identity
  if (isComplete(definition, identity))
    return identityKey(definition, identity) === identityKey(definition, record.identity)
  if (!scope.every((name) => identity[name] === record.identity[name])) return false
  if (standing) return definition.identity.scope.length > 0
  return (
    recognisedBy.length > 0 &&
    recognisedBy.every((name) => {
      const field = definition.fields[name]
      const known = record.applied[name] ?? record.answer?.[name]
      return field !== undefined && known !== undefined && same(field, desired[name], known)
    })
  )
}

/** Whether an instance's address is one of the entry's; an entry of several projects has one for each. */
export const belongsTo = (address: string, entry: string): boolean =>
  address === entry ||
  address.startsWith(`${entry}[`) ||
  (entry.endsWith(']') && address.startsWith(`${entry.slice(0, -1)}/`))

/** The address of the entry that an instance's address belongs to. */
export const entryOf = (address: string): string => address.replace(/\[.*$/, '')
