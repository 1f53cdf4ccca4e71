import { JournalCorruptError } from '../errors/index.ts'
import { readFailure } from './failures.ts'
import { readAs, type Fault } from '../disk/check.ts'
import { systemCode } from '../disk/files.ts'
import { decodeLines } from './journal-format.ts'
import type { JournalContents } from './journal-model.ts'
import { openIntents } from './open-intents.ts'
import { headerCheck, recordCheck } from './shape.ts'
import { modeWarnings, refuseLaterVersion } from './store.ts'
import { type Surroundings, surroundings } from './host.ts'

/**
 * Reads a journal. An incomplete last record is left out; other damage is refused.
 *
 * @returns undefined if there is no journal
 * @throws JournalCorruptError, StateVersionError, StateReadError
 */
export const readJournal = async (
  path: string,
  given: Partial<Surroundings> = {},
): Promise<JournalContents | undefined> => {
  const { files } = surroundings(given)
  const file = await readWithMode(path, files)
  if (file === undefined) return undefined
  const decoded = decodeLines(file.bytes)
  if ('damagedAt' in decoded) throw damaged(path, `damaged at byte ${decoded.damagedAt}`)
  const [header, ...records] = decoded.lines.map(({ record }) => record)
  refuseLaterVersion('journal', path, header)
  const refuse = (line: number) => (_: Fault, words: string) =>
    damaged(path, `damaged in line ${line}: ${words}`)
  const entries = records.map((record, index) => readAs(recordCheck, record, refuse(index + 2)))
  return {
    path,
    header: readAs(headerCheck, header, refuse(1)),
    entries,
    openIntents: openIntents(entries),
    droppedTail: decoded.droppedTail,
    warnings: await modeWarnings(files, 'journal', path, file.mode),
  }
}

/** @param how completes "the journal is …" */
export const damaged = (path: string, how: string, cause?: unknown): JournalCorruptError =>
  new JournalCorruptError(`the journal is ${how}, so that results of writes may be missing`, {
    where: path,
    cause,
  })

const readWithMode = async (
  path: string,
  files: Surroundings['files'],
): Promise<{ bytes: Buffer; mode: number | undefined } | undefined> => {
  try {
    const bytes = await files.read(path)
    return { bytes, mode: (await files.stat(path)).mode }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw readFailure('the journal', path, error)
  }
}
