import { thingKey, type Identified } from './kept-things.ts'
import type { RecordedResource, Records } from './model.ts'

const indexes = new WeakMap<Records, Map<string, Set<string>>>()

/** The addresses at which a thing is recorded; indexed, because each of thousands of creations asks. */
export const recordedAt = (records: Records, thing: Identified): ReadonlySet<string> => {
  let index = indexes.get(records)
  if (index === undefined) {
    index = new Map()
    for (const [address, record] of Object.entries(records)) enter(index, address, record)
    indexes.set(records, index)
  }
  return index.get(thingKey(thing)) ?? NOWHERE
}

/**
 * Records a thing at an address, or removes its record. Records that `recordedAt` has indexed are changed only here.
 */
export const record = (
  records: Record<string, RecordedResource>,
  address: string,
  resource: RecordedResource | undefined,
): void => {
  const [index, before] = [indexes.get(records), records[address]]
  if (before !== undefined) index?.get(thingKey(before))?.delete(address)
  if (resource === undefined) delete records[address]
  else {
    records[address] = resource
    if (index !== undefined) enter(index, address, resource)
  }
}

const enter = (index: Map<string, Set<string>>, address: string, thing: Identified): void => {
  const key = thingKey(thing)
  const there = index.get(key)
  if (there === undefined) index.set(key, new Set([address]))
  else there.add(address)
}

const NOWHERE: ReadonlySet<string> = new Set()
