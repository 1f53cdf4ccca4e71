import { thingKey, type Identified } from './kept-things.ts'
import type { RecordedResource, Records } from './model.ts'

const indexes = new WeakMap<Records, Map<string, Set<string>>>()

/** At which addresses a thing is recorded: each of thousands of creations asks, so no record is looked at for it. */
export const recordedAt = (records: Records, thing: Identified): ReadonlySet<string> => {
  let index = indexes.get(records)
  if (index === undefined) {
    index = new Map()
    for (const [address, record] of Object.entries(records)) enter(index, address, record)
    indexes.set(records, index)
  }
  return index.get(thingKey(thing)) ?? NOWHERE
}

/** Records a thing at an address of a table, or nothing: the one way by which a table that is asked is changed. */
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
