import { parseInstant } from '../../core/instant.ts'
import type { RecordedResource, WriteSpan } from './model.ts'

export type Identified = Pick<RecordedResource, 'kind' | 'identity'>
/** What is kept of a thing that is not recorded; some of it only for a time. */
type Kept = Identified & { readonly lastWrite?: WriteSpan }

/** Index of a list that only this module changes: each of thousands of writes looks up its thing. */
interface Index {
  readonly byKey: Map<string, Kept>
  /** Whether the last writes ended in list order, as they do unless a clock was set back. */
  isInOrder: boolean
  /** No last write of the list ended before this; most often nothing is too old, and the list is not gone through. */
  earliest: number
}

const indexes = new WeakMap<readonly Kept[], Index>()

/** Whether both are the same thing. */
export const isSame = (a: Identified, b: Identified): boolean => {
  if (a.kind !== b.kind) return false
  const names = Object.keys(a.identity)
  return (
    names.every((name) => a.identity[name] === b.identity[name]) &&
    names.length === Object.keys(b.identity).length
  )
}

/** What a list keeps of a thing. */
export const keptOf = <T extends Kept>(list: readonly T[], thing: Identified): T | undefined => {
  const index = indexes.get(list)
  if (index !== undefined) return index.byKey.get(thingKey(thing)) as T | undefined
  return list.find((each) => isSame(each, thing))
}

/**
 * The list without a thing and with others at its end. A list that this module made is changed in place; any other is
 * copied.
 */
export const replacing = <T extends Kept>(
  given: readonly T[],
  thing: Identified,
  by: readonly T[],
): readonly T[] => {
  const [list, index] = own(given)
  const key = thingKey(thing)
  const before = index.byKey.get(key) as T | undefined
  if (before !== undefined) {
    list.splice(list.indexOf(before), 1)
    index.byKey.delete(key)
  }
  for (const each of by) {
    index.isInOrder &&= endOf(list.at(-1)) <= endOf(each)
    index.earliest = Math.min(index.earliest, endOf(each))
    index.byKey.set(thingKey(each), each)
    list.push(each)
  }
  return list
}

/** The list without things whose last write ended before an instant (epoch milliseconds). */
export const since = <T extends Kept>(given: readonly T[], instant: number): readonly T[] => {
  const [list, index] = own(given)
  if (index.earliest >= instant) return list
  const stays = (each: T): boolean => endOf(each) >= instant
  if (!index.isInOrder) return list.filter(stays)
  const first = list.findIndex(stays)
  for (const each of list.splice(0, first === -1 ? list.length : first)) index.byKey.delete(thingKey(each))
  index.earliest = earliestOf(list.slice(0, 1).map(endOf))
  return list
}

const own = <T extends Kept>(given: readonly T[]): [T[], Index] => {
  const known = indexes.get(given)
  if (known !== undefined) return [given as T[], known]
  const byKey = new Map(given.map((each) => [thingKey(each), each]))
  const list = [...byKey.values()]
  const ends = list.map(endOf)
  const isInOrder = ends.every((end, at) => at === 0 || (ends[at - 1] ?? 0) <= end)
  const index = { byKey, isInOrder, earliest: earliestOf(ends) }
  indexes.set(list, index)
  return [list, index]
}

const earliestOf = (ends: readonly number[]): number =>
  ends.reduce((earliest, end) => Math.min(earliest, end), Number.POSITIVE_INFINITY)

/** A unique string for a thing, whatever the order of its identity's fields. */
export const thingKey = ({ kind, identity }: Identified): string =>
  JSON.stringify([kind, ...Object.entries(identity).toSorted(([a], [b]) => (a < b ? -1 : 1))])

const endOf = (kept: Kept | undefined): number =>
  kept?.lastWrite === undefined ? Number.NEGATIVE_INFINITY : parseInstant(kept.lastWrite.to)
