import { isDeepStrictEqual } from 'node:util'
import { parseInstant } from './compare.ts'
import type { Effect, Memory } from './ledger.ts'
import type { RecordedResource, Records, WriteSpan } from './model.ts'
import { GIVEN_UP_MS, spanAfter } from './span.ts'

/**
 * Brings changes to what is kept, in place and in order: all of them or none.
 * @throws RangeError where one drops or moves what is not there, or moves onto what is.
 */
export const remember = (memory: Memory, effects: readonly Effect[]): void => {
  const { resources } = memory
  refuseImpossible(resources, effects)
  for (const effect of effects) {
    if (effect.op === 'put') {
      resources[effect.address] = effect.resource
      noteWrite(memory, effect.resource, effect.resource.lastWrite, { isRecorded: true })
    } else if (effect.op === 'wrote')
      noteWrite(memory, effect, spanAfter(earlierWrite(memory, effect) ?? null, effect.lastWrite))
    else if (effect.op === 'drop') {
      const dropped = resources[effect.address]
      delete resources[effect.address]
      if (dropped !== undefined) noteWrite(memory, dropped, effect.lastWrite ?? dropped.lastWrite)
    } else {
      const moved = resources[effect.from]
      if (moved !== undefined) resources[effect.to] = moved
      delete resources[effect.from]
    }
  }
}

/** The same for a table of records alone. */
export const applyEffects = (resources: Record<string, RecordedResource>, effects: readonly Effect[]): void =>
  remember({ resources }, effects)

type Thing = Pick<RecordedResource, 'kind' | 'identity'>

/** When we last wrote to a thing that is not recorded. */
export const earlierWrite = (
  { unrecorded = [] }: Readonly<Pick<Memory, 'unrecorded'>>,
  thing: Thing,
): WriteSpan | undefined => unrecorded.find((each) => isSame(each, thing))?.lastWrite

const isSame = (a: Thing, b: Thing): boolean => a.kind === b.kind && isDeepStrictEqual(a.identity, b.identity)

/** A record knows of the writes to its thing; what is longer ago than a request takes is no write of lately. */
const noteWrite = (
  memory: Memory,
  { kind, identity }: Thing,
  lastWrite: WriteSpan | null,
  { isRecorded = false } = {},
): void => {
  if (lastWrite === null) return
  const since = parseInstant(lastWrite.to) - GIVEN_UP_MS
  const kept = (memory.unrecorded ?? []).filter(
    (each) => !isSame(each, { kind, identity }) && parseInstant(each.lastWrite.to) >= since,
  )
  const unrecorded = isRecorded ? kept : [...kept, { kind, identity, lastWrite }]
  if (unrecorded.length > 0) memory.unrecorded = unrecorded
  else delete memory.unrecorded
}

const refuseImpossible = (records: Records, effects: readonly Effect[]): void => {
  const changed = new Map<string, boolean>()
  const isThere = (address: string) => changed.get(address) ?? Object.hasOwn(records, address)
  for (const effect of effects) {
    if (effect.op === 'wrote') continue
    if (effect.op === 'put') changed.set(effect.address, true)
    else {
      const gone = effect.op === 'drop' ? effect.address : effect.from
      if (!isThere(gone)) throw new RangeError(`nothing is recorded at ${gone}`)
      changed.set(gone, false)
    }
    if (effect.op === 'move') {
      if (isThere(effect.to)) throw new RangeError(`something is recorded at ${effect.to} already`)
      changed.set(effect.to, true)
    }
  }
}
