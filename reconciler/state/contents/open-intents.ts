import { parseInstant } from '@deploymgmt/provider/core'
import type { IntentRecord, JournalRecord, OpenIntent } from './journal-model.ts'

/** The intents with neither answer nor refusal nor resolution, in the order of their numbers. */
export const openIntents = (records: readonly JournalRecord[]): OpenIntent[] => {
  const open = new Map<number, OpenIntent>()
  for (const record of records) note(open, record)
  return [...open.values()].toSorted((left, right) => left.n - right.n)
}

/** What a record says of the intents that are open, by number. */
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

/** When the first of some intents was to leave, service time in milliseconds. */
export const sentSince = (intents: readonly IntentRecord[]): number =>
  intents.reduce((first, { detail }) => Math.min(first, parseInstant(detail.sentAt)), Infinity)

/** The intents of which a record tells; those that it settles, but for `unknown` and `bound`. */
export const numbersOf = (record: JournalRecord): readonly number[] => {
  if (record.type === 'settled') return record.of.map(({ n }) => n)
  if (record.type === 'bound') return record.pairs.map(({ n }) => n)
  const closes = record.type === 'answer' ? record.closes : undefined
  return 'n' in record ? [record.n, ...(closes ?? [])] : []
}

/** The changes that a record brings to what is recorded; empty for most types. */
export const effectsOf = (record: JournalRecord) => ('effects' in record ? record.effects : [])

/** Whether a record changes the state. */
export const changesState = (record: JournalRecord): boolean =>
  record.type === 'learnt' || effectsOf(record).length > 0

/**
 * What a journal has to keep once the state that `commit` announces is saved: intents that were
 * open then, and all that was written since.
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
