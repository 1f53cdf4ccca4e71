import { remember } from '@deploymgmt/provider/engine'
import type { JournalRecord } from './journal-model.ts'
import type { StateFile } from './model.ts'
import { changesState, effectsOf } from './open-intents.ts'
import { knownOf } from './known.ts'

/**
 * Applies a journal record to a state, in place. This is the only way in which a state changes: for a command that
 * writes, for one that finds the journal of another, and for one that pushes a rescue file. `openSince` returns
 * since when requests of unknown outcome were sent, service time in milliseconds.
 *
 * @returns whether the record changes the state
 * @throws RangeError if the record does not continue this state
 */
export const replay = (state: StateFile, record: JournalRecord, openSince: () => number): boolean => {
  remember(state, effectsOf(record), openSince, knownOf)
  if (record.type === 'learnt') state.learnt = { ...state.learnt, [record.kind]: record.fact }
  return changesState(record)
}
