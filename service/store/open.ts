import { chmodSync, closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { ServiceStartError } from '../start-error.ts'
import { applicationId, schema, schemaVersion } from './schema.ts'

/**
 * Opens the database of the service: a file, or memory. The file can only be read by its owner, because it contains
 * secrets. A foreign, damaged or used file, or one of another version, is refused untouched.
 */
export const openDatabase = (file: string | undefined): DatabaseSync => {
  if (file === undefined) return prepare(new DatabaseSync(':memory:'))
  const isNew = createPrivateFile(file)
  if (isNew) makePrivate(file)
  else checkHeader(file)
  try {
    return prepare(new DatabaseSync(file), isNew ? undefined : file)
  } catch (error) {
    throw startError(file, error)
  }
}

/** Creates the file; returns false if it exists and is not empty. */
const createPrivateFile = (file: string): boolean => {
  try {
    closeSync(openSync(file, 'a', 0o600))
    // A kill between the creation and the first commit leaves an empty file, perhaps with a log beside it.
    return statSync(file).size === 0 && !existsSync(`${file}-wal`)
  } catch (error) {
    throw new ServiceStartError(
      'DM-SERVE-DATA',
      `cannot open the data file ${file}: ${reason(error)}. Name a file in an existing, writable folder.`,
      { cause: error },
    )
  }
}

/** Others may read a file that was there before. SQLite gives its log the mode of the file, unless that is there, too. */
const makePrivate = (file: string): void => {
  for (const each of [file, `${file}-wal`])
    try {
      chmodSync(each, 0o600)
    } catch {
      // There is no log, or another user owns the file and has to do it.
    }
}

/** Reads the SQLite header directly, so that a foreign file is not even opened for writing. */
const checkHeader = (file: string): void => {
  const header = Buffer.alloc(100)
  const descriptor = openSync(file, 'r')
  try {
    const length = readSync(descriptor, header, 0, header.length, 0)
    // SQLite recovers an empty main file with a log beside it.
    if (length === 0) return
    if (length < header.length || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
      throw corrupt(file, 'it is not a SQLite database')
    }
  } finally {
    closeSync(descriptor)
  }
}

/** `existing` is the file of an existing database. */
const prepare = (database: DatabaseSync, existing?: string): DatabaseSync => {
  try {
    // One process at a time; while it holds the lock, SQLite needs no shared-memory file.
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    if (existing !== undefined) {
      checkVersion(database, existing)
      makePrivate(existing)
    }
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    database.exec('BEGIN IMMEDIATE')
    if (number(database, 'user_version') === 0) {
      database.exec(schema)
      database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`)
    }
    database.exec('COMMIT')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

const checkVersion = (database: DatabaseSync, file: string): void => {
  const tables = database.prepare('SELECT count(*) AS n FROM sqlite_master').get()?.['n']
  const version = number(database, 'user_version')
  // A kill before the first commit leaves an empty database, which counts as new.
  if (tables === 0 && version === 0) return
  if (number(database, 'application_id') !== applicationId) {
    throw new ServiceStartError(
      'DM-SERVE-DATA-VERSION',
      `the data file ${file} is a SQLite database of another program. Name another file with --data.`,
    )
  }
  if (version !== schemaVersion) {
    throw new ServiceStartError(
      'DM-SERVE-DATA-VERSION',
      `the data file ${file} has version ${version}, this service reads version ${schemaVersion}. Use the release that wrote it, or name another file with --data.`,
    )
  }
  const check = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
  if (check !== 'ok') throw new Error(`database disk image is malformed: ${String(check)}`)
}

const number = (database: DatabaseSync, pragma: 'user_version' | 'application_id'): number =>
  Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0)

const startError = (file: string, error: unknown): unknown => {
  if (error instanceof ServiceStartError) return error
  const text = reason(error)
  if (/locked|busy/i.test(text)) {
    return new ServiceStartError(
      'DM-SERVE-DATA-IN-USE',
      `the data file ${file} is in use by another running service. Stop that one, or name another file with --data.`,
      { cause: error },
    )
  }
  if (/malformed|not a database|corrupt/i.test(text)) return corrupt(file, text, error)
  return new ServiceStartError('DM-SERVE-DATA', `cannot use the data file ${file}: ${text}`, { cause: error })
}

const corrupt = (file: string, detail: string, cause?: unknown): ServiceStartError =>
  new ServiceStartError(
    'DM-SERVE-DATA-CORRUPT',
    `the data file ${file} is damaged: ${detail}. It was left as it is: restore a copy, or name another file with --data.`,
    { cause },
  )

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))
