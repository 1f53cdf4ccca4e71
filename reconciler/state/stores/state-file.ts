import { dirname, isAbsolute, join, win32 } from 'node:path'
import { releaseBytes } from '@deploymgmt/provider/api'
import {
  StateConflictError,
  StateCorruptError,
  StateMovedError,
  StateVersionError,
} from '../../errors/index.ts'
import { readAs } from '../../disk/check.ts'
import { refuseMismatch, type Expectation } from '../contents/expectation.ts'
import { readFailure, writeFailure } from '../machine/failures.ts'
import { systemCode, type Files } from '../../disk/files.ts'
import { parseJson } from '../../disk/json.ts'
import { readInParts } from '../../disk/json-in-parts.ts'
import type { MovedState, StateFile } from '../contents/model.ts'
import { resolveTarget, schemeOf } from '../machine/paths.ts'
import { replaceFile } from '../../disk/replace.ts'
import { fingerprint, serializeState } from '../contents/serialize.ts'
import { stateCheck } from '../contents/shape.ts'
import { type System, systemWith } from '../machine/system.ts'
import type { StoredState } from './store.ts'

/** A state that was read from a file. */
interface LoadedState {
  state: StateFile
  /** sha256 (hex) of the bytes of the file. */
  fingerprint: string
  /** Sentences for the user. */
  warnings: string[]
}

/** The files that a save may replace, by the sha256 (hex) of their bytes; undefined stands for no file. */
export type Replaceable = readonly (string | undefined)[]

/**
 * Reads a state file.
 *
 * @returns undefined if there is no file
 * @throws StateReadError, StateCorruptError, StateVersionError, StateMismatchError
 */
export const loadState = async (
  path: string,
  expect?: Expectation,
  given: Partial<System> = {},
): Promise<LoadedState | undefined> => {
  const file = await readStateFile(path, systemWith(given))
  if (file === undefined) return undefined
  return { ...takenState(file, expect), warnings: file.warnings }
}

/** The bytes of the file, unchecked; undefined if there is no file. @throws StateReadError */
export const readStateFile = async (
  path: string,
  { files }: Pick<System, 'files'>,
): Promise<(StoredState & { warnings: string[] }) | undefined> => {
  try {
    const bytes = await files.read(path)
    const { mode } = await files.stat(path)
    return { at: path, bytes, warnings: await modeWarnings(files, 'state file', path, mode) }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw readFailure('the state file', path, error)
  }
}

/**
 * A state with the fingerprint of its bytes, whose memory is released.
 * @param sameFlags as in `System`
 * @throws what `checkedState` throws
 */
export const takenState = (
  stored: StoredState,
  expect: Expectation | undefined,
  sameFlags = '',
): Omit<LoadedState, 'warnings'> => {
  const print = fingerprint(stored.bytes)
  const state = checkedState(stored, expect, sameFlags)
  releaseBytes(stored.bytes)
  return { fingerprint: print, state }
}

/** @throws StateCorruptError, StateVersionError, StateMismatchError */
export const checkedState = (
  { at, bytes }: StoredState,
  expect: Expectation | undefined,
  sameFlags = '',
): StateFile => {
  const state = parseState(at, bytes)
  const isEmpty = Object.keys(state.resources).length === 0
  if (expect !== undefined) refuseMismatch(at, state, expect, { isEmpty, sameFlags })
  return state
}

interface Saving {
  /** What the file on disk has to be. */
  readonly replaces: Replaceable
  /** What `serializeState` has produced, if it has been called already. */
  readonly bytes?: Buffer | undefined
}

/**
 * Writes a state file in one step, mode 0600, following a symbolic link. The caller holds the lock.
 *
 * @returns the fingerprint of the new file
 * @throws StateConflictError if the file on disk is an unexpected one, StateWriteError; the old file is then intact
 */
export const saveState = async (
  path: string,
  state: StateFile | MovedState,
  { replaces, bytes = serializeState(state) }: Saving,
  given: Partial<System> = {},
): Promise<string> => {
  const system = systemWith(given)
  const target = await resolveTarget(system.files, path)
  refuseConflict(path, await readStateFile(target, system), state, replaces)
  try {
    await (await replaceFile(system, target, bytes)).close()
  } catch (error) {
    throw writeFailure('the state file', path, error)
  }
  return fingerprint(bytes)
}

/**
 * A warning if other users may read or write the file. None within a git checkout: git gives its mode to the file in
 * every clone, so nobody could fix it permanently.
 */
export const modeWarnings = async (
  files: Pick<Files, 'stat'>,
  thing: string,
  path: string,
  mode: number | undefined,
): Promise<string[]> => {
  if (mode === undefined || (mode & 0o077) === 0 || (await checkoutOf(files, dirname(path))) !== undefined)
    return []
  const octal = mode.toString(8).padStart(4, '0')
  return [`The ${thing} ${path} has mode ${octal}, which lets others in: run chmod 600 on it.`]
}

/** The root of the git checkout that contains a folder; undefined if there is none. */
export const checkoutOf = async (files: Pick<Files, 'stat'>, folder: string): Promise<string | undefined> => {
  const isTop = await files.stat(join(folder, '.git')).then(
    () => true,
    () => false,
  )
  if (isTop) return folder
  return dirname(folder) === folder ? undefined : checkoutOf(files, dirname(folder))
}

const parseState = (path: string, bytes: Buffer): StateFile => {
  const value = readInParts(bytes, 'resources') ?? parsed(path, bytes)
  refuseMoved(path, value)
  refuseTerraform(path, value)
  refuseLaterVersion('state file', path, value)
  return readAs(stateCheck, value, ({ at }, words) => corrupt(path, words, `: ${at}`))
}

const parsed = (path: string, bytes: Buffer): unknown => {
  const text = decode(bytes)
  if (text === undefined) throw corrupt(path, 'it is not UTF-8 text')
  const result = parseJson(text, bytes)
  if ('value' in result) return result.value
  const { message, line, column } = result.fault
  throw corrupt(path, message, `:${line}:${column}`)
}

const corrupt = (path: string, what: string, place = ''): StateCorruptError =>
  new StateCorruptError(`the state file cannot be used: ${what}`, { where: `${path}${place}` })

/** @throws StateMovedError for the marker of a moved state */
const refuseMoved = (path: string, value: unknown): void => {
  if (typeof value !== 'object' || value === null || !('movedTo' in value)) return
  const movedTo = String(value.movedTo)
  throw new StateMovedError(`the state was moved to ${movedTo}`, {
    where: path,
    hint: `${StateMovedError.remedy}${aboutNewPlace(path, movedTo)}`,
  })
}

/** @throws StateCorruptError for a state of Terraform, which has versions of its own */
const refuseTerraform = (path: string, value: unknown): void => {
  if (typeof value !== 'object' || value === null || !('terraform_version' in value)) return
  throw new StateCorruptError('the file is a state of Terraform', {
    where: path,
    hint: 'Name a state of deploymgmt. What Terraform manages can be declared and taken over, but its state cannot be read.',
  })
}

/** An addition, after a space, that explains the new place if it is not clear by itself. */
const aboutNewPlace = (path: string, movedTo: string): string => {
  const scheme = schemeOf(movedTo)
  if (scheme === 'postgres') return ' The address is shown without its user and its ?sslmode=.'
  if (scheme !== undefined || schemeOf(path) === undefined) return ''
  // Absolute paths of Windows drives, too.
  return isAbsolute(movedTo) || win32.isAbsolute(movedTo)
    ? ' It is a file on the machine where the state was moved.'
    : ' The path is relative to the folder of the manifest.'
}

/** @throws StateVersionError if `value.version` is above 1; other values are left to other checks */
export const refuseLaterVersion = (thing: string, path: string, value: unknown): void => {
  const version: unknown =
    typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined
  if (typeof version !== 'number' || version <= 1) return
  throw new StateVersionError(
    `the ${thing} has format version ${version}; this version of deploymgmt knows 1`,
    { where: path },
  )
}

const decode = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const refuseConflict = (
  path: string,
  current: StoredState | undefined,
  next: { lineage: string; serial: number },
  replaces: Replaceable,
): void => {
  if (replaces.includes(current && fingerprint(current.bytes))) return
  const why =
    current === undefined
      ? 'it has been removed since it was read'
      : difference(parseState(current.at, current.bytes), next, replaces)
  throw new StateConflictError(`the state file was not replaced: ${why}`, { where: path })
}

const difference = (
  found: { lineage: string; serial: number },
  next: { lineage: string; serial: number },
  replaces: Replaceable,
): string => {
  if (replaces.includes(undefined)) return 'it did not exist before, but does now'
  if (found.lineage !== next.lineage) return `its lineage is now ${found.lineage}, and was ${next.lineage}`
  const serial = next.serial - 1
  if (found.serial !== serial) return `its serial is now ${found.serial}, and was ${serial}`
  return 'it has changed since it was read'
}
