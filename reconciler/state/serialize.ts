import { createHash } from 'node:crypto'
import type { RecordedResource } from '@deploymgmt/provider/engine'
import type { JournalHeader } from './journal-model.ts'
import type { MovedState, StateFile } from './model.ts'

const stateKeys: readonly (keyof StateFile | keyof MovedState)[] = [
  'version',
  'name',
  'baseUrl',
  'lineage',
  'serial',
  'movedTo',
  'learnt',
  'resources',
  'unrecorded',
  'known',
  'compared',
  'pending',
]
const resourceKeys: readonly (keyof RecordedResource)[] = [
  'kind',
  'identity',
  'applied',
  'answer',
  'adopted',
  'onRemove',
  'protect',
  'lastWrite',
  'watermark',
  'acknowledged',
  'leftover',
  'overridden',
  'notFoundAt',
  'absent',
  'standing',
]

/**
 * The one canonical form of a state: known keys in a fixed order, all others and the addresses
 * sorted by code unit, two spaces, a newline at the end. Equal states have equal bytes, so that a
 * version control system shows real changes alone.
 */
export const serializeState = (state: StateFile | MovedState): Buffer => {
  const addresses = Object.keys(state.resources).toSorted()
  const resources = addresses.map((address) => [
    address,
    inOrder(state.resources[address] ?? {}, resourceKeys),
  ])
  const ordered = inOrder({ ...state, resources: {} }, stateKeys)
  ordered['resources'] = Object.fromEntries(resources)
  return Buffer.from(`${JSON.stringify(ordered, null, 2)}\n`)
}

/** sha256, in hex. */
export const fingerprint = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The fingerprint of the canonical form, whatever formatting the file on disk has. */
export const stateDigest = (state: StateFile | MovedState): string => fingerprint(serializeState(state))

/** Of the journal that goes on from a state. */
export const headerOf = (state: StateFile, at: string, digest = stateDigest(state)): JournalHeader => {
  const { lineage, serial, name, baseUrl } = state
  return { type: 'header', version: 1, lineage, serial, digest, name, baseUrl, at }
}

const inOrder = (value: object, first: readonly string[]): Record<string, unknown> => {
  const rank = new Map(first.map((key, index) => [key, index]))
  const entries = sortedEntries(value).map(([key, inner]) => [key, sorted(inner)] as const)
  return Object.fromEntries(
    entries.toSorted(
      ([left], [right]) => (rank.get(left) ?? first.length) - (rank.get(right) ?? first.length),
    ),
  )
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  // fromEntries defines properties, so that even a key named __proto__ is just a key.
  return Object.fromEntries(sortedEntries(value).map(([key, inner]) => [key, sorted(inner)]))
}

const sortedEntries = (value: object): [string, unknown][] => {
  const entries: [string, unknown][] = Object.entries(value)
  return entries.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
}
