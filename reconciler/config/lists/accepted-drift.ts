import { nearest } from '@deploymgmt/provider/core'
import { entryOf, sectionOf } from '@deploymgmt/provider/engine'

/** Drift that a person has accepted: with the live values at the time, so that a further change is drift again. */
export interface Accepted {
  readonly address: string
  /** The name of the manifest to which it applies, if several share the file; by default it applies to all. */
  readonly manifest?: string
  /** One field; by default everything that had drifted. */
  readonly field?: string
  /** Live values by field. */
  readonly values: Readonly<Record<string, unknown>>
  /** Ids of events, if no endpoint shows a value. */
  readonly events: readonly string[]
  /** The code of the reason, if no field had drifted: `gone-at-service`. */
  readonly is?: string
  readonly reason: string
  /** The last day or instant on which it applies. */
  readonly until?: string
  /** `FILE:LINE:COLUMN`. */
  readonly at: string
}

/** An entry to write. */
export type ToAccept = Omit<Accepted, 'at'>

/** `SECTION.NAME`, or `SECTION.NAME.FIELD` for a single field. */
export const nameOfAccepted = ({ address, field }: Pick<Accepted, 'address' | 'field'>): string =>
  field === undefined ? address : `${address}.${field}`

/**
 * The address that a misspelt one means, if any: always of the same section, even if another section has a more
 * similar one. Names are compared by themselves: a long section, or ids, would make any two similar.
 */
export const nearestAddress = (meant: string, addresses: readonly string[]): string | undefined => {
  const section = nearest(sectionOf(meant), [...new Set(addresses.map(sectionOf))])
  const among = addresses.filter((address) => sectionOf(address) === section)
  const names = [...new Set(among.map(nameIn))]
  // A field may stand behind the name.
  const name = nearest(nameIn(meant), names) ?? nearest(nameIn(meant).replace(/\.[^.]*$/, ''), names)
  const same = among.filter((address) => nameIn(address) === name)
  return same.length > 1 ? nearest(meant, same) : same[0]
}

const nameIn = (address: string): string => entryOf(address).slice(sectionOf(address).length + 1)
