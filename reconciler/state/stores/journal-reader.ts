import { DEEPEST, isTooDeep } from '@deploymgmt/provider/api'
import { JournalCorruptError, StateVersionError } from '../../errors/index.ts'
import { readFailure } from '../machine/failures.ts'
import { readAs, type Fault } from '../../disk/check.ts'
import { systemCode } from '../../disk/files.ts'
import { decodeLines } from '../contents/journal-format.ts'
import type { JournalContents } from '../contents/journal-model.ts'
import { openIntents } from '../contents/open-intents.ts'
import { headerCheck, recordCheck, wordOfLaterVersion } from '../contents/shape.ts'
import { modeWarnings, refuseLaterVersion } from './state-file.ts'
import type { StoredJournal } from './store.ts'
import type { System } from '../machine/system.ts'

/** The lines of the file, unchecked. @throws JournalCorruptError, StateReadError */
export const readJournalFile = async (
  path: string,
  { files }: Pick<System, 'files'>,
): Promise<(StoredJournal & { warnings: string[] }) | undefined> => {
  const file = await readWithMode(path, files)
  if (file === undefined) return undefined
  const decoded = decodeLines(file.bytes)
  if ('damagedAt' in decoded) throw damaged(path, `damaged at byte ${decoded.damagedAt}`)
  const [header, ...records] = decoded.lines.map(({ record }) => record)
  // A journal file gets its name once its first record is on disk: neither a kill nor a power failure leaves less.
  if (records.length === 0) {
    refuseLaterVersion('journal', path, header)
    throw damaged(path, file.bytes.length === 0 ? 'empty' : 'cut off')
  }
  const warnings = await modeWarnings(files, 'journal', path, file.mode)
  return { at: path, header, records, droppedTail: decoded.droppedTail, warnings }
}

/** @throws JournalCorruptError, StateVersionError */
export const checkedJournal = ({ at, header, records, droppedTail }: StoredJournal): JournalContents => {
  refuseLaterVersion('journal', at, header)
  const refuse = (line: number) => (_: Fault, words: string) =>
    damaged(at, `damaged in line ${line}: ${words}`)
  const entries = records.map((record, index) => {
    // The body of a request can be any value, and what reads it takes a call frame for each level.
    if (isTooDeep(record))
      throw damaged(at, `damaged in line ${index + 2}: it is nested deeper than ${DEEPEST} levels`)
    const word = wordOfLaterVersion(record)
    if (word !== undefined) throw ofLaterVersion(at, index + 2, word)
    return readAs(recordCheck, record, refuse(index + 2))
  })
  return {
    path: at,
    header: readAs(headerCheck, header, refuse(1)),
    entries,
    openIntents: openIntents(entries),
    droppedTail,
    warnings: [],
  }
}

const ofLaterVersion = (path: string, line: number, word: string): StateVersionError =>
  new StateVersionError(
    `the journal has ${JSON.stringify(word)} in line ${line}, which this version of deploymgmt does not know`,
    { where: path },
  )

/** @param how completes "the journal is …" */
export const damaged = (path: string, how: string, cause?: unknown): JournalCorruptError =>
  new JournalCorruptError(`the journal is ${how}, so that results of writes may be missing`, {
    where: path,
    cause,
  })

const readWithMode = async (
  path: string,
  files: System['files'],
): Promise<{ bytes: Buffer; mode: number | undefined } | undefined> => {
  try {
    const bytes = await files.read(path)
    return { bytes, mode: (await files.stat(path)).mode }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw readFailure('the journal', path, error)
  }
}
