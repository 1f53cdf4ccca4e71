import { createHash } from 'node:crypto'
import type { RecordedResource } from '@deploymgmt/provider/engine'
import type { JournalHeader } from './journal-model.ts'
import type { MovedState, StateFile } from './model.ts'
import { toJson } from '../../text/json.ts'

type Rank = ReadonlyMap<string, number>

const rankOf = (keys: readonly string[]): Rank => new Map(keys.map((key, index) => [key, index]))

const stateKeys = rankOf([
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
  'projects',
  'files',
] satisfies (keyof StateFile | keyof MovedState)[])
const resourceKeys = rankOf([
  'kind',
  'identity',
  'applied',
  'answer',
  'adopted',
  'onRemove',
  'protect',
  'lastWrite',
  'watermark',
  'quiet',
  'acknowledged',
  'leftover',
  'overridden',
  'notFoundAt',
  'absent',
  'standing',
] satisfies (keyof RecordedResource)[])

/**
 * The canonical form of a state: known keys in a fixed order, other keys and addresses sorted by code unit, two
 * spaces of indentation, a newline at the end. Equal states have equal bytes, so a version control system shows only
 * real changes. Characters that an editor or a terminal interprets are escaped: they can come from the service or a
 * manifest, and people look at committed states.
 */
export const serializeState = (state: StateFile | MovedState): Buffer => {
  const addresses = Object.keys(state.resources).toSorted()
  const resources = addresses.map((address) => [
    address,
    inOrder(state.resources[address] ?? {}, resourceKeys),
  ])
  const ordered = {
    ...inOrder({ ...state, resources: {} }, stateKeys),
    resources: Object.fromEntries(resources),
  }
  return Buffer.from(`${toJson(ordered, { indent: 2 })}\n`)
}

/** sha256, in hex. */
export const fingerprint = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The fingerprint of the canonical form, regardless of the formatting of the file. */
export const stateDigest = (state: StateFile | MovedState): string => fingerprint(serializeState(state))

/** The header of a journal that continues a state. */
export const headerOf = (state: StateFile, at: string, digest = stateDigest(state)): JournalHeader => {
  const { lineage, serial, name, baseUrl } = state
  return { type: 'header', version: 1, lineage, serial, digest, name, baseUrl, at }
}

/**
 * Orders keys, also the nested ones: known keys first, then the others by code unit. Copies only if the order
 * differs.
 */
const inOrder = (value: object, rank: Rank): object =>
  isInOrder(value, rank)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .toSorted(([left], [right]) => comesFirst(left, right, rank))
          .map(([key, inner]) => [key, sorted(inner)]),
      )

// fromEntries defines properties, so even `__proto__` is an ordinary key.
const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? value.map(sorted) : inOrder(value, NO_RANK)
}

const NO_RANK: Rank = new Map()

/**
 * Whether the keys are in order already. Values that were read are, and lists of keys need not be built to find that
 * out.
 */
const isInOrder = (value: object, rank: Rank = NO_RANK): boolean => {
  if (Array.isArray(value)) return value.every(isSorted)
  let last: string | undefined
  for (const key in value) {
    if (last !== undefined && comesFirst(last, key, rank) > 0) return false
    if (!isSorted(value[key as keyof typeof value])) return false
    last = key
  }
  return true
}

const isSorted = (value: unknown): boolean => typeof value !== 'object' || value === null || isInOrder(value)

const comesFirst = (left: string, right: string, rank: Rank): number => {
  const places = (rank.get(left) ?? rank.size) - (rank.get(right) ?? rank.size)
  return places === 0 ? (left < right ? -1 : left > right ? 1 : 0) : places
}
