import { JournalMismatchError } from '../errors/index.ts'
import type { JournalContents, OpenIntent } from './contents/journal-model.ts'
import { damaged } from './stores/journal-reader.ts'
import type { StateFile } from './contents/model.ts'
import { sentSince } from './contents/open-intents.ts'
import { replay } from './contents/replay.ts'
import { stateDigest } from './contents/serialize.ts'

/** A state with everything that the journal knows. */
export interface Recovered {
  /** If there is no journal, the state as last saved; serial 0 if it was never saved. */
  state: StateFile
  /** Writes that may or may not have happened. */
  unknown: OpenIntent[]
  /** The number of records that changed the state. */
  replayed: number
}

/**
 * Brings a state up to date with its journal. Pure; records that are in the state already are not applied again, so
 * recovering the saved result of a recovery changes nothing.
 *
 * @throws JournalMismatchError if the journal does not continue this state; JournalCorruptError
 */
export const recover = (state: StateFile, journal: JournalContents): Recovered => {
  const recovered = { ...state, resources: { ...state.resources } }
  const since = sentSince(journal.openIntents)
  const missing = journal.entries.slice(firstMissing(state, journal))
  try {
    const replayed = missing.filter((record) => replay(recovered, record, () => since)).length
    return { state: recovered, unknown: journal.openIntents, replayed }
  } catch (error) {
    throw damaged(journal.path, 'it does not continue this state', error)
  }
}

/** The index of the first journal entry that is not in the state yet. */
const firstMissing = (state: StateFile, journal: JournalContents): number => {
  const { header, path } = journal
  if (state.lineage !== header.lineage) {
    throw journalMismatch(
      path,
      `the journal continues lineage ${header.lineage}, but the state has ${state.lineage}`,
    )
  }
  const first = missingAfter(state, journal)
  if (first !== undefined) return first
  if (state.serial === header.serial) {
    throw journalMismatch(
      path,
      `the state has changed since the journal was begun, at serial ${state.serial}`,
    )
  }
  throw journalMismatch(
    path,
    `the journal continues serial ${header.serial}, but the state has serial ${state.serial}`,
  )
}

const missingAfter = (state: StateFile, { header, entries }: JournalContents): number | undefined => {
  const { serial } = state
  const digest = stateDigest(state)
  const saved = entries.findLastIndex(
    (entry) => entry.type === 'commit' && entry.serial === serial && entry.digest === digest,
  )
  if (saved !== -1) return saved + 1
  return serial === header.serial && digest === header.digest ? 0 : undefined
}

/** @param why completes "the journal does not belong to the state file: …" */
export const journalMismatch = (path: string, why: string): JournalMismatchError =>
  new JournalMismatchError(`the journal does not belong to the state file: ${why}`, { where: path })
