import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import type { Files } from '../../reconciler/disk/files.ts'

const create = (path: string): Awaited<ReturnType<Files['create']>> => {
  const file = openSync(path, 'wx', 0o600)
  return {
    write: async (bytes) => {
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
    },
    sync: async () => {},
    close: async () => closeSync(file),
  }
}

const read = (path: string): Buffer => {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile() && !fstatSync(file).isDirectory())
      throw Object.assign(new Error('a pipe or a device'), { code: 'EFTYPE' })
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

const stat = (path: string): { mode: number; size: number } => {
  const { mode, size } = statSync(path)
  return { mode: mode & 0o777, size }
}

/**
 * The real file system, without waiting. To wake a thread for each of a thousand small files costs more than everything
 * else in a history, and no claim depends on how long a file takes.
 */
export const filesAtOnce: Omit<Files, 'syncFolder' | 'free'> = {
  read: async (path) => read(path),
  stat: async (path) => stat(path),
  create: async (path) => create(path),
  rename: async (from, to) => renameSync(from, to),
  link: async (from, to) => linkSync(from, to),
  unlink: async (path) => unlinkSync(path),
  list: async (path) => readdirSync(path),
  realPath: async (path) => realpathSync.native(path),
  readLink: async (path) => readlinkSync(path),
}
