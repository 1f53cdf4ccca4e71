import type { JournalContents } from './journal-model.ts'
import { readJournal } from './journal-reader.ts'
import { refuseMismatch, type Expectation } from './expectation.ts'
import type { StateFile } from './model.ts'
import { journalPath } from './paths.ts'
import { mismatch, type Recovered, recover } from './recovery.ts'
import { loadState } from './store.ts'
import type { Surroundings } from './host.ts'

/** State file and journal, read together. */
export interface View extends Recovered {
  /** sha256 (hex) of the bytes of the state file; undefined if there is none. */
  fingerprint: string | undefined
  /** The state as it is on disk; one of serial 0 if there is no file. */
  saved: StateFile
  journal: JournalContents | undefined
  notices: string[]
}

/** Reads and recovers; writes nothing. `target` has its symbolic links resolved. */
export const readView = async (target: string, expect: Expectation, outside: Surroundings): Promise<View> => {
  const loaded = await loadState(target, expect, outside)
  const journal = await readJournal(journalPath(target), outside)
  const saved = loaded?.state ?? unsavedState(expect, journal, outside)
  const recovered =
    journal === undefined ? { state: copyOf(saved), unknown: [], replayed: 0 } : recover(saved, journal)
  return {
    ...recovered,
    fingerprint: loaded?.fingerprint,
    saved,
    journal,
    notices: [...(loaded?.warnings ?? []), ...noticesOf(journal, recovered.replayed)],
  }
}

/** The state before its first save. A journal that was begun then tells its lineage. */
const unsavedState = (
  expect: Expectation,
  journal: JournalContents | undefined,
  { uuid }: Surroundings,
): StateFile => {
  const { name, baseUrl } = journal?.header ?? expect
  if (journal !== undefined) {
    refuseMismatch(journal.path, journal.header, expect)
    const { serial } = journal.header
    if (serial > 0) throw mismatch(journal.path, `it continues serial ${serial}, and there is no state file`)
  }
  return { version: 1, name, baseUrl, lineage: journal?.header.lineage ?? uuid(), serial: 0, resources: {} }
}

const copyOf = (state: StateFile): StateFile => ({
  ...state,
  resources: { ...state.resources },
})

const noticesOf = (journal: JournalContents | undefined, replayed: number): string[] => {
  if (journal === undefined) return []
  const tail = `The last record of the journal ${journal.path} is incomplete, as after a kill, and is left out.`
  const replay = `Took ${replayed} ${replayed === 1 ? 'result' : 'results'} of an earlier command from the journal.`
  return [...journal.warnings, ...(journal.droppedTail ? [tail] : []), ...(replayed > 0 ? [replay] : [])]
}
