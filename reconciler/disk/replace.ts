import { basename, dirname, join } from 'node:path'
import { type Files, systemCode, type WritableFile } from './files.ts'

/** What a replacement takes from outside; tests pass their own. */
export interface DiskSystem {
  readonly files: Files
  /** New with each call. */
  readonly uuid: () => string
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u

/**
 * Replaces a file in one step: after a crash at any moment, its name leads to the old bytes or to the new ones. The
 * new bytes are on disk before the name changes, and the change of the name is on disk before this resolves. The
 * caller holds the state's lock, so any other temporary file of this name was left by a crash, and is removed.
 *
 * @returns the new file, still open for appending
 */
export const replaceFile = async (
  system: DiskSystem,
  path: string,
  bytes: Uint8Array,
): Promise<WritableFile> => {
  await removeLeftovers(system, path)
  return replaceUnlocked(system, path, bytes)
}

/** The same for a file without a lock: of several writers the last one wins, and each leaves a complete file. */
export const replaceUnlocked = async (
  { files, uuid: random }: DiskSystem,
  path: string,
  bytes: Uint8Array,
  mode?: number,
): Promise<WritableFile> => {
  const temporary = `${path}.${random()}.tmp`
  const file = await files.create(temporary, mode)
  try {
    await file.write(bytes)
    await file.sync()
    await files.rename(temporary, path)
    await files.syncFolder(dirname(path))
  } catch (error) {
    await file.close().catch(() => undefined)
    await files.unlink(temporary).catch(() => undefined)
    throw error
  }
  return file
}

/** Removes a file durably; it may be absent. */
export const removeFile = async ({ files }: Pick<DiskSystem, 'files'>, path: string): Promise<void> => {
  try {
    await files.unlink(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
  await files.syncFolder(dirname(path))
}

const removeLeftovers = async ({ files }: Pick<DiskSystem, 'files'>, path: string): Promise<void> => {
  const prefix = `${basename(path)}.`
  const isLeftover = (name: string) =>
    name.startsWith(prefix) && name.endsWith('.tmp') && uuid.test(name.slice(prefix.length, -'.tmp'.length))
  const leftovers = (await files.list(dirname(path))).filter(isLeftover)
  await Promise.all(leftovers.map((name) => files.unlink(join(dirname(path), name)).catch(() => undefined)))
}
