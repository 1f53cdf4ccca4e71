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
 * The file system as it is used here. A parameter, so that a test can cut at any operation.
 * Every method rejects with a Node system error (`code`: `ENOENT`, `ENOSPC`, …).
 */
export interface Files {
  readonly read: (path: string) => Promise<Buffer>
  /** `mode` holds the permission bits alone; it is undefined where they mean nothing. */
  readonly stat: (path: string) => Promise<{ mode: number | undefined; size: number }>
  /** Creates a file, mode 0600; `EEXIST` if the name is taken. */
  readonly create: (path: string) => Promise<WritableFile>
  /** Replaces `to` in one step. */
  readonly rename: (from: string, to: string) => Promise<void>
  readonly link: (from: string, to: string) => Promise<void>
  readonly unlink: (path: string) => Promise<void>
  /** Makes the names in a folder durable; nothing where folders cannot be synced. */
  readonly syncFolder: (path: string) => Promise<void>
  readonly list: (path: string) => Promise<string[]>
  readonly realPath: (path: string) => Promise<string>
  readonly readLink: (path: string) => Promise<string>
  /** Bytes that are free for this user, or undefined where nothing tells. */
  readonly free: (path: string) => Promise<number | undefined>
}

const windows = process.platform === 'win32'

/** The `code` of a Node system error, `ENOENT` for example. */
export const systemCode = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/**
 * A pipe would be waited for, and a device may have no end: neither holds what is kept between commands. At one go,
 * since the lock is read before each append: to hand that to other threads and back takes ten times as long.
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

const create = async (path: string): Promise<WritableFile> => {
  const handle = await open(path, 'wx', 0o600)
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
    // Some network and FUSE file systems cannot sync a folder; there is nothing better to do there.
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error
  } finally {
    await handle.close()
  }
}

const free = async (path: string): Promise<number | undefined> => {
  const { blocks, bavail, bsize } = await statfs(path)
  // A file system without blocks (many FUSE ones) tells nothing about room.
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
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk reports an error',
}

/** What a system error means, in words, with its code; never the content of a file. */
export const inWords = (error: unknown): string => {
  const code = systemCode(error)
  if (code === undefined) return 'an unexpected error'
  const known = WORDS[code]
  return known === undefined ? code : `${known} (${code})`
}

/**
 * Where a file really lives: symbolic links are followed, also one whose target does not exist yet, so that a
 * write goes through the link.
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

/** Whether a pipe, a device or a socket has this path: such a thing is written to, and never replaced. */
export const isNoFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  )

/** Whether something that can be reached has this path. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
