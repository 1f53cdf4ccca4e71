import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import {
  access,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  link,
  stat,
  statfs,
  unlink,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** A file that was created and is being written. */
export interface WritableFile {
  /** Appends all bytes, or rejects after an unknown number of them. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Resolves when everything written is on the disk. */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * The part of the file system that is used here. A parameter, so that a test can fail any operation. Every method
 * rejects with a Node system error (`code`: `ENOENT`, `ENOSPC`, …).
 */
export interface Files {
  readonly read: (path: string) => Promise<Buffer>
  /** `mode` only holds the permission bits; undefined on platforms where they mean nothing. */
  readonly stat: (path: string) => Promise<{ mode: number | undefined; size: number }>
  /** Creates a file, by default with mode 0600; `EEXIST` if the name is taken. */
  readonly create: (path: string, mode?: number) => Promise<WritableFile>
  /** Replaces `to` in one step. */
  readonly rename: (from: string, to: string) => Promise<void>
  readonly link: (from: string, to: string) => Promise<void>
  readonly unlink: (path: string) => Promise<void>
  /** Makes the names in a folder durable; does nothing if folders cannot be synced. */
  readonly syncFolder: (path: string) => Promise<void>
  readonly list: (path: string) => Promise<string[]>
  readonly realPath: (path: string) => Promise<string>
  readonly readLink: (path: string) => Promise<string>
  /** Bytes that are free for this user; undefined if unknown. */
  readonly free: (path: string) => Promise<number | undefined>
}

const windows = process.platform === 'win32'

/** The `code` of a Node system error, `ENOENT` for example. */
export const systemCode = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/**
 * Refuses pipes, which would block, and devices, which may be endless: neither holds what is kept between commands.
 * Synchronous, because the lock is read before each append, and asynchronous reads take ten times as long.
 */
const readNow = (path: string): Buffer => {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const found = fstatSync(file)
    if (!found.isFile() && !found.isDirectory())
      throw Object.assign(new Error('a pipe or a device'), { code: 'EFTYPE' })
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

const create = async (path: string, mode = 0o600): Promise<WritableFile> => {
  const handle = await open(path, 'wx', mode)
  return {
    write: (bytes) => handle.appendFile(bytes),
    sync: () => handle.sync(),
    close: () => handle.close(),
  }
}

const syncFolder = async (path: string): Promise<void> => {
  if (windows) return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } catch (error) {
    // Some network and FUSE file systems cannot sync a folder; nothing better can be done there.
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error
  } finally {
    await handle.close()
  }
}

const free = async (path: string): Promise<number | undefined> => {
  const { blocks, bavail, bsize } = await statfs(path)
  // A file system without blocks (many FUSE ones) does not report free space.
  return blocks > 0 ? bavail * bsize : undefined
}

/** The real file system. */
export const nodeFiles: Files = {
  read: async (path) => readNow(path),
  stat: async (path) => {
    const found = await stat(path)
    return { mode: windows ? undefined : found.mode & 0o777, size: found.size }
  },
  create,
  rename,
  link,
  unlink,
  syncFolder,
  list: (path) => readdir(path),
  realPath: (path) => realpath(path),
  readLink: (path) => readlink(path),
  free,
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
  EFTYPE: 'it is not a file, but a pipe or a device',
  ENXIO: 'it is not a file, but a socket',
  ENOTDIR: 'part of the path is not a folder',
  EEXIST: 'something else has this name',
  ENOENT: 'the folder does not exist',
  ELOOP: 'its symbolic links form a circle',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk reports an error',
}

/** The meaning of a system error, with its code; never the content of a file. */
export const inWords = (error: unknown): string => {
  const code = systemCode(error)
  if (code === undefined) return 'an unexpected error'
  const known = WORDS[code]
  return known === undefined ? code : `${known} (${code})`
}

/**
 * The real path of a file: symbolic links are followed, even to a missing target, so that a write goes through the
 * link.
 */
export const realTarget = async (files: Files, path: string): Promise<string> => {
  const absolute = resolve(path)
  try {
    return await files.realPath(absolute)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
  const target = await files.readLink(absolute).catch(() => undefined)
  if (target !== undefined) return realTarget(files, resolve(dirname(absolute), target))
  const folder = await files.realPath(dirname(absolute)).catch(() => dirname(absolute))
  return join(folder, basename(absolute))
}

/** Whether a pipe, a device or a socket has this path: these are written to, and never replaced. */
export const isNoFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  )

/** Whether the path exists and can be reached. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
