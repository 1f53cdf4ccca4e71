import { isAbsolute, relative, sep } from 'node:path'
import { type Files, realTarget } from '../../disk/files.ts'
import { readFailure } from './failures.ts'

/** A scheme has at least two letters: a single letter is a Windows drive. */
const scheme = /^(?<scheme>[A-Za-z][A-Za-z0-9+.-]+):(?!\\)/u

/** The scheme of an address, or undefined for a path. */
export const schemeOf = (address: string): string | undefined =>
  scheme.exec(address)?.groups?.['scheme']?.toLowerCase()

/** Whether an absolute path is a folder, or leads to something in it. */
export const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return !isAbsolute(way) && way.split(sep)[0] !== '..'
}

/** `deploymgmt.state.json` → `deploymgmt.state.journal`. */
export const journalPath = (statePath: string): string => `${statePath.replace(/\.json$/u, '')}.journal`

export const lockPath = (statePath: string): string => `${statePath}.lock`

/** The real location of a state, so that all names of one state share lock and journal. */
export const resolveTarget = (files: Files, path: string): Promise<string> =>
  realTarget(files, path).catch((error: unknown) => {
    throw readFailure('the state file', path, error)
  })
