import { basename, dirname, join } from 'node:path'
import { systemCode } from '../../disk/files.ts'
import type { Host } from '../machine/host.ts'
import type { System } from '../machine/system.ts'
import { isOwnerGone, type LockOwner, parseOwner, type UnreadableOwner } from './lock-owner.ts'

const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV'])

/** The name whose creation decides who takes over from a dead owner. Ids are never reused. */
export const claimPath = (lock: string, deadId: string): string => `${lock}.${deadId}.claim`

/**
 * Creates a file that is complete from the start, by linking a finished file to its name.
 *
 * @returns false if the name is taken, or if a new holder of the lock has removed the finished file
 */
export const createWhole = async ({ files }: System, path: string, owner: LockOwner): Promise<boolean> => {
  const temporary = `${path}.${owner.id}.tmp`
  await write(files, temporary, owner)
  try {
    await files.link(temporary, path)
    return true
  } catch (error) {
    const code = systemCode(error) ?? ''
    if (code === 'EEXIST' || code === 'ENOENT') return false
    if (!noLinks.has(code)) throw error
    return await createDirectly(files, path, owner)
  } finally {
    await files.unlink(temporary).catch(() => undefined)
  }
}

/** For file systems without hard links: still only one creator succeeds, but a kill can leave the file torn. */
const createDirectly = async (files: System['files'], path: string, owner: LockOwner): Promise<boolean> => {
  try {
    await write(files, path, owner)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes a file that cannot be written completely. */
const write = async (files: System['files'], path: string, owner: LockOwner): Promise<void> => {
  const file = await files.create(path)
  try {
    await file.write(Buffer.from(`${JSON.stringify(owner)}\n`))
    await file.sync()
  } catch (error) {
    await files.unlink(path).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
}

/**
 * The owner in the lock file, then the one who has claimed the lock from that owner, and so on. The last one counts.
 * Empty if there is no lock.
 */
export const readChain = async (
  { files }: Pick<System, 'files'>,
  lock: string,
): Promise<(LockOwner | UnreadableOwner)[]> => {
  const chain: (LockOwner | UnreadableOwner)[] = []
  let path = lock
  for (;;) {
    const owner = await readOwner(files, path)
    if (owner === undefined || chain.some(({ id }) => id === owner.id)) return chain
    chain.push(owner)
    path = claimPath(lock, owner.id)
  }
}

/** The owner in one file; undefined if there is no file. */
export const readOwner = async (
  files: System['files'],
  path: string,
): Promise<LockOwner | UnreadableOwner | undefined> => {
  try {
    return parseOwner(await files.read(path))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Removes what crashes have left beside the lock. The caller holds the lock: no claim from an earlier owner can
 * succeed any more, since a claimant checks the lock again before it acts.
 */
export const removeRemains = async ({ files, host }: System, lock: string): Promise<void> => {
  const prefix = `${basename(lock)}.`
  const names = await files.list(dirname(lock)).catch(() => [])
  for (const name of names) {
    const path = join(dirname(lock), name)
    const isClaim = name.startsWith(prefix) && name.endsWith('.claim')
    const isTemporary = name.startsWith(prefix) && name.endsWith('.tmp')
    if (isClaim || (isTemporary && (await isAbandoned(files, host, path)))) {
      await files.unlink(path).catch(() => undefined)
    }
  }
}

const isAbandoned = async (files: System['files'], host: Host, path: string): Promise<boolean> => {
  const owner = await readOwner(files, path).catch(() => undefined)
  // An unreadable file is torn, or is being written by a process that will try again if it disappears.
  return owner !== undefined && ('unreadable' in owner || (await isOwnerGone(owner, host)))
}
