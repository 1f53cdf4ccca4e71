import { JournalCorruptError } from '../errors/index.ts'
import { readFailure } from './failures.ts'
import { systemCode } from './files.ts'
import { decodeLines } from './journal-format.ts'
import type { JournalContents, JournalHeader, JournalRecord } from './journal-model.ts'
import type { RecordedResource, Resource } from './model.ts'
import { openIntents } from './open-intents.ts'
import { modeWarnings, refuseLaterVersion } from './store.ts'
import { type Surroundings, surroundings } from './surroundings.ts'

const recordTypes = new Set<unknown>([
  'intent',
  'answer',
  'refused',
  'unknown',
  'resolved',
  'effects',
  'commit',
])

/**
 * Reads a journal. An incomplete last record is left out; other damage is refused.
 *
 * @returns undefined if there is no journal
 * @throws JournalCorruptError, StateVersionError, StateReadError
 */
export const readJournal = async <R extends Resource = RecordedResource>(
  path: string,
  given: Partial<Surroundings> = {},
): Promise<JournalContents<R> | undefined> => {
  const file = await readWithMode(path, surroundings(given))
  if (file === undefined) return undefined
  const decoded = decodeLines(file.bytes)
  if ('damagedAt' in decoded) throw damaged(path, `damaged at byte ${decoded.damagedAt}`)
  const [header, ...entries] = decoded.lines.map(({ record }) => record)
  refuseLaterVersion('journal', path, header)
  if (!isHeader(header)) throw damaged(path, 'without the header that it began with')
  if (!isRecords<R>(entries)) throw damaged(path, 'holding a record of an unknown type')
  return {
    path,
    header,
    entries,
    openIntents: openIntents(entries),
    droppedTail: decoded.droppedTail,
    warnings: modeWarnings('journal', path, file.mode),
  }
}

/** @param how completes "The journal is …" */
export const damaged = (path: string, how: string, cause?: unknown): JournalCorruptError =>
  new JournalCorruptError(`The journal is ${how}, so that results of writes may be missing.`, {
    where: path,
    hint: JournalCorruptError.remedy,
    cause,
  })

const readWithMode = async (
  path: string,
  { files }: Surroundings,
): Promise<{ bytes: Buffer; mode: number | undefined } | undefined> => {
  try {
    const bytes = await files.read(path)
    return { bytes, mode: (await files.stat(path)).mode }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw readFailure('the journal', path, error)
  }
}

const typeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined

// The checksum vouches for the rest of the shape: only this room writes these lines.
const isHeader = (value: unknown): value is JournalHeader => typeOf(value) === 'header'

const isRecords = <R extends Resource>(values: unknown[]): values is JournalRecord<R>[] =>
  values.every((value) => recordTypes.has(typeOf(value)))
