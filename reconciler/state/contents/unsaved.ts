import type { Effect } from '@deploymgmt/provider/engine'
import type { JournalRecord } from './journal-model.ts'
import { effectsOf, numbersOf } from './open-intents.ts'

/** The addresses of records that the store has not taken, or not yet; `journal` has their intents. */
export const addressesOwed = (
  journal: readonly JournalRecord[],
  owed: readonly JournalRecord[],
): ReadonlySet<string> => {
  const sent = new Map(journal.flatMap((each) => (each.type === 'intent' ? [[each.n, each.address]] : [])))
  return new Set(
    owed.flatMap((record) => [
      ...numbersOf(record).flatMap((n) => sent.get(n) ?? []),
      ...effectsOf(record).flatMap(addressesIn),
    ]),
  )
}

const addressesIn = (effect: Effect): string[] => {
  if (effect.op === 'move') return [effect.from, effect.to]
  return 'address' in effect ? [effect.address] : []
}
