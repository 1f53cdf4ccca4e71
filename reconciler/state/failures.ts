import { StateReadError, StateWriteError } from '../errors/index.ts'
import { systemCode } from './files.ts'

const words: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'something else of this name is there',
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
  const known = words[code]
  return known === undefined ? code : `${known} (${code})`
}

/** @param thing for example `the state file` */
export const readFailure = (thing: string, path: string, cause: unknown): StateReadError =>
  new StateReadError(`Cannot read ${thing}: ${inWords(cause)}.`, {
    where: path,
    hint: StateReadError.remedy,
    cause,
  })

/** @param thing for example `the state file` */
export const writeFailure = (thing: string, path: string, cause: unknown, hint?: string): StateWriteError => {
  const noFolder = ['ENOENT', 'ENOTDIR'].includes(systemCode(cause) ?? '')
  const what = noFolder ? 'Make the folder, or name another file with --state.' : StateWriteError.remedy
  return new StateWriteError(`Cannot write ${thing}: ${inWords(cause)}.`, {
    where: path,
    hint: hint ?? what,
    cause,
  })
}
