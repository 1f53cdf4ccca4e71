import { nearest } from '@deploymgmt/provider/core'
import { sectionOf } from '@deploymgmt/provider/engine'

/** Drift that a person has accepted: what was live then, so that a further change is drift again. */
export interface Accepted {
  readonly address: string
  /** The manifest it counts for, by name, where several share the file; left out, it counts for all of them. */
  readonly manifest?: string
  /** One field of it; all of what had drifted where left out. */
  readonly field?: string
  /** Live values by field. */
  readonly values: Readonly<Record<string, unknown>>
  /** Ids of events, where no endpoint shows a value. */
  readonly events: readonly string[]
  /** The code of the reason, where no field had drifted: `gone-at-service`. */
  readonly is?: string
  readonly reason: string
  /** The last day or instant on which it holds. */
  readonly until?: string
  /** `FILE:LINE:COLUMN`. */
  readonly at: string
}

/** An entry that is to be written. */
export type ToAccept = Omit<Accepted, 'at'>

/** `SECTION.NAME`, or `SECTION.NAME.FIELD` where it is about one field. */
export const nameOfAccepted = ({ address, field }: Pick<Accepted, 'address' | 'field'>): string =>
  field === undefined ? address : `${address}.${field}`

/** What a misspelt address means, if anything: something of the same section, however alike another one is. */
export const nearestAddress = (meant: string, addresses: readonly string[]): string | undefined => {
  const section = nearest(sectionOf(meant), [...new Set(addresses.map(sectionOf))])
  return nearest(
    meant,
    addresses.filter((address) => sectionOf(address) === section),
  )
}
