import {
  StateConflictError,
  StateCorruptError,
  StateMismatchError,
  StateVersionError,
} from '../errors/index.ts'
import { normalizeBaseUrl, sameBaseUrl } from './base-url.ts'
import { readFailure, writeFailure } from './failures.ts'
import { systemCode } from './files.ts'
import { parseJson } from './json.ts'
import type { Expectation, RecordedResource, Resource, StateFile } from './model.ts'
import { resolveTarget } from './paths.ts'
import { replaceFile } from './replace.ts'
import { fingerprint, serializeState } from './serialize.ts'
import { isState, stateFault } from './shape.ts'
import { type Surroundings, surroundings } from './surroundings.ts'

/** A state as it was read. */
export interface LoadedState<R extends Resource = RecordedResource> {
  state: StateFile<R>
  /** sha256 (hex) of the bytes of the file. */
  fingerprint: string
  /** Sentences for the user. */
  warnings: string[]
}

/** What a save may find on disk: a file by the sha256 (hex) of its bytes, or undefined for no file. */
export type Replaceable = readonly (string | undefined)[]

/**
 * Reads a state file.
 *
 * @returns undefined if there is no file
 * @throws StateReadError, StateCorruptError, StateVersionError, StateMismatchError
 */
export const loadState = async <R extends Resource = RecordedResource>(
  path: string,
  expect?: Expectation,
  given: Partial<Surroundings> = {},
): Promise<LoadedState<R> | undefined> => {
  const { files } = surroundings(given)
  try {
    const bytes = await files.read(path)
    const { mode } = await files.stat(path)
    const state = parseState<R>(path, bytes)
    if (expect !== undefined) refuseMismatch(path, state, expect, Object.keys(state.resources).length === 0)
    return { state, fingerprint: fingerprint(bytes), warnings: modeWarnings('state file', path, mode) }
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    throw isOwn(error) ? error : readFailure('the state file', path, error)
  }
}

/**
 * Writes a state file in one step, mode 0600; a symbolic link is written through. The caller holds
 * the lock.
 *
 * @returns the fingerprint of the new file
 * @throws StateConflictError if something else is on disk, StateWriteError; the old file is then whole
 */
export const saveState = async <R extends Resource = RecordedResource>(
  path: string,
  state: StateFile<R>,
  replaces: Replaceable,
  given: Partial<Surroundings> = {},
): Promise<string> => {
  const outside = surroundings(given)
  const target = await resolveTarget(outside.files, path)
  const bytes = serializeState(state)
  refuseConflict(path, await loadState(target, undefined, outside), state, replaces)
  try {
    await (await replaceFile(outside, target, bytes)).close()
  } catch (error) {
    throw writeFailure('the state file', path, error)
  }
  return fingerprint(bytes)
}

/** A warning if others than the owner may read or write the file. */
export const modeWarnings = (thing: string, path: string, mode: number | undefined): string[] => {
  if (mode === undefined || (mode & 0o077) === 0) return []
  const octal = mode.toString(8).padStart(4, '0')
  return [`The ${thing} ${path} has mode ${octal}, which lets others in: run chmod 600 on it.`]
}

const parseState = <R extends Resource>(path: string, bytes: Buffer): StateFile<R> => {
  const text = decode(bytes)
  if (text === undefined) throw corrupt(path, 'it is not UTF-8 text')
  const parsed = parseJson(text)
  if ('fault' in parsed) {
    const { message, line, column } = parsed.fault
    throw corrupt(path, message, `:${line}:${column}`)
  }
  refuseLaterVersion('state file', path, parsed.value)
  if (isState<R>(parsed.value)) return parsed.value
  const { at, expected } = stateFault(parsed.value) ?? { at: '$', expected: 'a state' }
  throw corrupt(path, `${at} has to be ${expected}`, `: ${at}`)
}

const corrupt = (path: string, what: string, place = ''): StateCorruptError =>
  new StateCorruptError(`The state file cannot be used: ${what}.`, {
    where: `${path}${place}`,
    hint: StateCorruptError.remedy,
  })

/** @throws StateVersionError if `value.version` is above 1; anything else is left to other checks */
export const refuseLaterVersion = (thing: string, path: string, value: unknown): void => {
  const version: unknown =
    typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined
  if (typeof version !== 'number' || version <= 1) return
  throw new StateVersionError(
    `The ${thing} has format version ${version}; this version of deploymgmt knows 1.`,
    {
      where: path,
      hint: StateVersionError.remedy,
    },
  )
}

const decode = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** @throws StateMismatchError naming both sides */
export const refuseMismatch = (
  path: string,
  found: Expectation,
  expect: Expectation,
  isEmpty = false,
): void => {
  const refuse = (what: string, correct: string): StateMismatchError =>
    new StateMismatchError(what, {
      where: path,
      hint: isEmpty
        ? `It records nothing yet: delete it, and begin again with deploymgmt state init; or keep another state beside it with --state; or correct ${correct}.`
        : `Name the right state file with --state, or correct ${correct}.`,
    })
  if (found.name !== expect.name) {
    const [recorded, used] = [JSON.stringify(found.name), JSON.stringify(expect.name)]
    throw refuse(`The state belongs to the manifest ${recorded}, not to ${used}.`, '`name` in the manifest')
  }
  if (!sameBaseUrl(found.baseUrl, expect.baseUrl)) {
    const [recorded, used] = [normalizeBaseUrl(found.baseUrl), normalizeBaseUrl(expect.baseUrl)]
    throw refuse(`The state belongs to the service ${recorded}, not to ${used}.`, 'DEPLOYMGMT_BASE_URL')
  }
}

const refuseConflict = (
  path: string,
  current: LoadedState | undefined,
  next: { lineage: string; serial: number },
  replaces: Replaceable,
): void => {
  if (replaces.includes(current?.fingerprint)) return
  const why =
    current === undefined
      ? 'it has been removed since it was read'
      : difference(current.state, next, replaces)
  throw new StateConflictError(`The state file was not replaced: ${why}.`, {
    where: path,
    hint: StateConflictError.remedy,
  })
}

const difference = (
  found: { lineage: string; serial: number },
  next: { lineage: string; serial: number },
  replaces: Replaceable,
): string => {
  if (replaces.includes(undefined)) return 'it did not exist before, and does now'
  if (found.lineage !== next.lineage) return `its lineage is now ${found.lineage}, and was ${next.lineage}`
  const serial = next.serial - 1
  if (found.serial !== serial) return `its serial is now ${found.serial}, and was ${serial}`
  return 'its content has been changed since it was read'
}

const isOwn = (error: unknown): boolean => error instanceof Error && 'describe' in error
