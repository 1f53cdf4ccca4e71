import { remember } from '@deploymgmt/provider/engine'
import type { JournalRecord } from './journal-model.ts'
import type { StateFile } from './model.ts'
import { changesState, effectsOf } from './open-intents.ts'
import { knownOf } from './record-check.ts'

/**
 * Brings what a record of the journal tells into a state, in place: the one way by which a state changes, of a command
 * that writes, of one that finds the journal of another, and of one that brings a rescue file home. Requests of unknown
 * outcome were sent from what `openSince` answers on, service time in milliseconds.
 *
 * @returns whether the record changes a state at all
 * @throws RangeError if it does not lead on from this state
 */
export const replay = (state: StateFile, record: JournalRecord, openSince: () => number): boolean => {
  remember(state, effectsOf(record), openSince, knownOf)
  if (record.type === 'learnt') state.learnt = { ...state.learnt, [record.kind]: record.fact }
  return changesState(record)
}
