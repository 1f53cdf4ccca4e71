import { nearest } from '@deploymgmt/provider/core'
import { sectionOf } from '@deploymgmt/provider/engine'

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
 * similar one.
 */
export const nearestAddress = (meant: string, addresses: readonly string[]): string | undefined => {
  const section = nearest(sectionOf(meant), [...new Set(addresses.map(sectionOf))])
  return nearest(
    meant,
    addresses.filter((address) => sectionOf(address) === section),
  )
}
