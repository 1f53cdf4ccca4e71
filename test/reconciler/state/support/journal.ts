import { type System, systemWith } from '../../../../reconciler/state/machine/system.ts'
import type { JournalContents, JournalHeader } from '../../../../reconciler/state/index.ts'
import { JournalFile } from '../../../../reconciler/state/stores/journal-file.ts'
import { JournalQueue } from '../../../../reconciler/state/journal-queue.ts'
import { checkedJournal, readJournalFile } from '../../../../reconciler/state/stores/journal-reader.ts'

/**
 * Reads the file of a journal. An incomplete last record is left out; other damage is refused.
 *
 * @returns undefined if there is no journal
 * @throws JournalCorruptError, StateVersionError, StateReadError
 */
export const readJournal = async (
  path: string,
  given: Partial<System> = {},
): Promise<JournalContents | undefined> => {
  const file = await readJournalFile(path, systemWith(given))
  return file && { ...checkedJournal(file), warnings: file.warnings }
}

/** A journal without a state next to it. */
export type Journal = Pick<JournalQueue, 'append' | 'restart' | 'close'> & { readonly path: string }

/**
 * Opens the file of a journal for appending. It is made with the first record. The caller holds the lock.
 *
 * @param found what `readJournal` gave; then that journal goes on, and `header` is not used
 */
export const openJournal = (
  path: string,
  header: JournalHeader,
  found: JournalContents | undefined,
  given: Partial<System> = {},
): Journal => {
  const { entries } = found ?? { entries: [] }
  const system = systemWith(given)
  const file = new JournalFile(path, entries, system)
  const writer = {
    append: (...what: Parameters<JournalFile['append']>) => file.append(...what),
    save: async (change: { header: JournalHeader; kept: readonly unknown[] }) => {
      await file.restart(change.header, change.kept)
      return {}
    },
    confirm: () => Promise.resolve(),
    release: () => file.letGo(),
    keep: () => file.letGo(),
  }
  return Object.assign(
    new JournalQueue(
      writer,
      { header: found?.header ?? header, entries },
      { announces: true, now: system.now },
    ),
    { path },
  )
}
