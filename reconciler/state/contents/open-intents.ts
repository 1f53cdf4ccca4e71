import { parseInstant } from '@deploymgmt/provider/core'
import type { IntentRecord, JournalRecord, OpenIntent } from './journal-model.ts'

/** The intents without an answer, a refusal or a resolution, in the order of their numbers. */
export const openIntents = (records: readonly JournalRecord[]): OpenIntent[] => {
  const open = new Map<number, OpenIntent>()
  for (const record of records) note(open, record)
  return [...open.values()].toSorted((left, right) => left.n - right.n)
}

/** Applies a record to the open intents, by number. */
export const note = (open: Map<number, OpenIntent>, record: JournalRecord): void => {
  if (record.type === 'intent') open.set(record.n, { ...record })
  else if (record.type === 'unknown') {
    const { n, error, at: errorAt } = record
    const intent = open.get(n)
    if (intent !== undefined) open.set(n, { ...intent, error, errorAt })
  } else if (record.type === 'bound') {
    for (const { n, ...bound } of record.pairs) {
      const intent = open.get(n)
      if (intent !== undefined) open.set(n, { ...intent, bound })
    }
  } else for (const n of numbersOf(record)) open.delete(n)
}

/** When the first of some intents was due to leave; service time in milliseconds. */
export const sentSince = (intents: readonly IntentRecord[]): number =>
  intents.reduce((first, { detail }) => Math.min(first, parseInstant(detail.sentAt)), Infinity)

/** The numbers of the intents that a record is about; it settles them, unless its type is `unknown` or `bound`. */
export const numbersOf = (record: JournalRecord): readonly number[] => {
  if (record.type === 'settled') return record.of.map(({ n }) => n)
  if (record.type === 'bound') return record.pairs.map(({ n }) => n)
  const closes = record.type === 'answer' ? record.closes : undefined
  return 'n' in record ? [record.n, ...(closes ?? [])] : []
}

/** The changes of recorded things that a record carries; empty for most types. */
export const effectsOf = (record: JournalRecord) => ('effects' in record ? record.effects : [])

/** Whether a record changes the state. */
export const changesState = (record: JournalRecord): boolean =>
  record.type === 'learnt' || effectsOf(record).length > 0

/**
 * The records that a journal must keep once the state announced by `commit` is saved: the intents that were open
 * then, and everything written since.
 */
export const carryOver = (records: readonly JournalRecord[], commit: JournalRecord): JournalRecord[] => {
  const end = records.indexOf(commit)
  const before = records.slice(0, Math.max(end, 0))
  const open = new Set(openIntents(before).map(({ n }) => n))
  const kept = before.filter((record) =>
    record.type === 'bound'
      ? record.pairs.some(({ n }) => open.has(n))
      : (record.type === 'intent' || record.type === 'unknown') && open.has(record.n),
  )
  const carried = [...kept, ...records.slice(end + 1)]
  const matters = openIntents(carried).length > 0 || carried.some(changesState)
  return matters ? carried : []
}
