import type { JournalContents } from './contents/journal-model.ts'
import { checkedJournal } from './stores/journal-reader.ts'
import type { Unlocked } from './lock/ownership.ts'
import { refuseMismatch, type Expectation } from './contents/expectation.ts'
import type { StateFile } from './contents/model.ts'
import { journalMismatch, type Recovered, recover } from './recovery.ts'
import { takenState } from './stores/state-file.ts'
import type { Snapshot } from './stores/store.ts'
import type { System } from './machine/system.ts'

/** State and journal, read together. */
export interface View extends Recovered, Unlocked {
  /** sha256 (hex) of the bytes of the state; undefined if there is no state. */
  fingerprint: string | undefined
  journal: JournalContents | undefined
  notices: string[]
}

/** Checks and recovers the content of a store without writing. The memory of the state's bytes is released. */
export const viewOf = (snapshot: Snapshot, expect: Expectation, system: System): View => {
  const { state, fingerprint } =
    (snapshot.state && takenState(snapshot.state, expect, system.sameFlags)) ?? NO_STATE
  const journal = snapshot.journal && checkedJournal(snapshot.journal)
  const saved = state ?? unsavedState(expect, journal, system)
  const recovered =
    journal === undefined ? { state: saved, unknown: [], replayed: 0 } : recover(saved, journal)
  return {
    ...recovered,
    fingerprint,
    journal,
    unlockedAt: snapshot.unlockedAt,
    landedAt: snapshot.landedAt,
    notices: [...snapshot.warnings, ...noticesOf(journal, recovered.replayed)],
  }
}

const NO_STATE = { state: undefined, fingerprint: undefined }

/** The state before its first save. If there is a journal, it determines the lineage. */
const unsavedState = (
  expect: Expectation,
  journal: JournalContents | undefined,
  { uuid }: System,
): StateFile => {
  const { name, baseUrl } = journal?.header ?? expect
  if (journal !== undefined) {
    refuseMismatch(journal.path, journal.header, expect)
    const { serial } = journal.header
    if (serial > 0)
      throw journalMismatch(journal.path, `it continues serial ${serial}, but there is no state file`)
  }
  return { version: 1, name, baseUrl, lineage: journal?.header.lineage ?? uuid(), serial: 0, resources: {} }
}

const noticesOf = (journal: JournalContents | undefined, replayed: number): string[] => {
  if (journal === undefined) return []
  const tail = `The last record of the journal ${journal.path} is incomplete, as after a kill, and was ignored.`
  const replay = `Took ${replayed} ${replayed === 1 ? 'result' : 'results'} of an earlier command from the journal.`
  return [...(journal.droppedTail ? [tail] : []), ...(replayed > 0 ? [replay] : [])]
}
