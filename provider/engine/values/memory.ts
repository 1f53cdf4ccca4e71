import { parseInstant } from '../../core/instant.ts'
import { isInForce } from './sort.ts'
import type { Effect, Memory } from './ledger.ts'
import { isSame, keptOf, replacing, since, type Identified } from './kept-things.ts'
import type { EarlierWrite, Made, RecordedResource, Records, WriteSpan } from './model.ts'
import { record } from './recorded-at.ts'
import { GIVEN_UP_MS, SPAN_MARGIN_MS, spanAfter } from './span.ts'

/**
 * Applies effects to what is kept, in place and in order: all of them or none.
 * @param openSince since when requests with an unknown outcome were sent, in milliseconds of service time: until they
 * are settled, no write of that time is forgotten
 * @param keeps what stays known of a thing that is no longer recorded
 * @throws RangeError if an effect drops or moves a record that does not exist, or moves onto one that does
 */
export const remember = (
  memory: Memory,
  effects: readonly Effect[],
  openSince: () => number = () => Number.POSITIVE_INFINITY,
  keeps: Keeps = () => undefined,
): void => {
  refuseImpossible(memory.resources, effects)
  for (const effect of effects) apply(memory, effect, { openSince, keeps })
}

interface Circumstances {
  readonly openSince: () => number
  readonly keeps: Keeps
}

const apply = (memory: Memory, effect: Effect, { openSince, keeps }: Circumstances): void => {
  const { resources } = memory
  switch (effect.op) {
    case 'put': {
      const { address, resource } = effect
      keep(memory, effect, keeps)
      record(resources, address, resource)
      // A record has the writes to its own thing.
      replaceUnrecorded(memory, resource, openSince)
      return
    }
    case 'drop': {
      const dropped = resources[effect.address]
      keep(memory, effect, keeps)
      record(resources, effect.address, undefined)
      if (dropped !== undefined)
        wrote(memory, { ...dropped, lastWrite: effect.lastWrite ?? dropped.lastWrite }, openSince)
      return
    }
    case 'wrote':
      wrote(
        memory,
        { ...effect, lastWrite: spanAfter(earlierWrite(memory, effect) ?? null, effect.lastWrite) },
        openSince,
      )
      return
    case 'disown': {
      const { op: _, ...made } = effect
      know(memory, made)
      return
    }
    case 'move': {
      const moved = resources[effect.from]
      if (moved !== undefined) record(resources, effect.to, moved)
      record(resources, effect.from, undefined)
    }
  }
}

type Keeps = (record: RecordedResource) => Made | undefined

/** The same for a table of records alone. */
export const applyEffects = (resources: Record<string, RecordedResource>, effects: readonly Effect[]): void =>
  remember({ resources }, effects)

/** When we last wrote to a thing that is not recorded. */
export const earlierWrite = (
  { unrecorded = [] }: { readonly unrecorded?: readonly EarlierWrite[] | undefined },
  thing: Identified,
): WriteSpan | undefined => keptOf(unrecorded, thing)?.lastWrite

type Written = Pick<RecordedResource, 'kind' | 'identity' | 'lastWrite'>

/** Remembers the last write to a thing that is not recorded. */
const wrote = (memory: Memory, { kind, identity, lastWrite }: Written, openSince: () => number): void => {
  if (lastWrite === null) return
  const write = { kind, identity, lastWrite }
  replaceUnrecorded(memory, write, openSince, [write])
}

/** An unrecorded write stops being recent once it is older than a request can take. */
const replaceUnrecorded = (
  memory: Memory,
  { kind, identity, lastWrite }: Written,
  openSince: () => number,
  by: readonly EarlierWrite[] = [],
): void => {
  const { unrecorded } = memory
  if (lastWrite === null || (unrecorded === undefined && by.length === 0)) return
  const from = Math.min(parseInstant(lastWrite.to) - GIVEN_UP_MS, openSince() - SPAN_MARGIN_MS)
  const kept = replacing(since(unrecorded ?? [], from), { kind, identity }, by)
  if (kept.length > 0) memory.unrecorded = kept
  else delete memory.unrecorded
}

/** Remembers a thing as known if it is no longer recorded at an address; a recorded thing needs no such note. */
const keep = (
  memory: Memory,
  effect: Extract<Effect, { readonly op: 'put' | 'drop' }>,
  keeps: Keeps,
): void => {
  const before = memory.resources[effect.address]
  const after = effect.op === 'put' ? effect.resource : undefined
  if (after !== undefined) replaceKnown(memory, after)
  if (before === undefined || isInForce(before)) return
  if (after !== undefined && isSame(before, after)) return
  const made = keeps(before)
  if (made !== undefined) know(memory, made)
}

const know = (memory: Memory, made: Made): void => replaceKnown(memory, made, [made])

const replaceKnown = (memory: Memory, thing: Identified, by: readonly Made[] = []): void => {
  if (memory.known === undefined && by.length === 0) return
  const known = replacing(memory.known ?? [], thing, by)
  if (known.length > 0) memory.known = known
  else delete memory.known
}

const refuseImpossible = (records: Records, effects: readonly Effect[]): void => {
  const changed = new Map<string, 'there' | 'gone'>()
  const isThere = (address: string): boolean =>
    changed.has(address) ? changed.get(address) === 'there' : Object.hasOwn(records, address)
  const take = (address: string): void => {
    if (!isThere(address)) throw new RangeError(`nothing is recorded at ${address}`)
    changed.set(address, 'gone')
  }
  for (const effect of effects)
    if (effect.op === 'put') changed.set(effect.address, 'there')
    else if (effect.op === 'drop') take(effect.address)
    else if (effect.op === 'move') {
      take(effect.from)
      if (isThere(effect.to)) throw new RangeError(`something is recorded at ${effect.to} already`)
      changed.set(effect.to, 'there')
    }
}
