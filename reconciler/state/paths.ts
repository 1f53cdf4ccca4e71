import { basename, dirname, join, resolve } from 'node:path'
import { readFailure } from './failures.ts'
import { type Files, systemCode } from './files.ts'

/** `deploymgmt.state.json` → `deploymgmt.state.journal`. */
export const journalPath = (statePath: string): string => `${statePath.replace(/\.json$/u, '')}.journal`

export const lockPath = (statePath: string): string => `${statePath}.lock`

/**
 * Where a state really lives: symbolic links are followed, also one whose target does not exist
 * yet, so that a write goes through the link and that all names of one state share lock and journal.
 */
export const resolveTarget = async (files: Files, path: string): Promise<string> => {
  const absolute = resolve(path)
  try {
    return await files.realPath(absolute)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw readFailure('the state file', path, error)
  }
  const link = await linkTarget(files, absolute)
  if (link !== undefined) return resolveTarget(files, resolve(dirname(absolute), link))
  const folder = await files.realPath(dirname(absolute)).catch(() => dirname(absolute))
  return join(folder, basename(absolute))
}

const linkTarget = async (files: Files, path: string): Promise<string | undefined> => {
  try {
    return await files.readLink(path)
  } catch {
    return undefined
  }
}
