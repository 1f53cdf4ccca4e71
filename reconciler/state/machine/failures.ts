import { asOurs, StateReadError, StateWriteError } from '../../errors/index.ts'
import { inWords, systemCode } from '../../disk/files.ts'
import type { System } from './system.ts'

/** @param thing for example `the state file` */
export const readFailure = (thing: string, path: string, cause: unknown, hint?: string): StateReadError =>
  new StateReadError(`cannot read ${thing}: ${unreadable(cause)}`, { where: path, hint, cause })

const unreadable = (cause: unknown): string =>
  systemCode(cause) === 'ENOENT' ? 'it does not exist (ENOENT)' : inWords(cause)

/** @param thing for example `the state file` */
export const writeFailure = (thing: string, path: string, cause: unknown): StateWriteError => {
  const noFolder = ['ENOENT', 'ENOTDIR'].includes(systemCode(cause) ?? '')
  const hint = noFolder ? 'Create the folder, or name another file with --state.' : undefined
  return new StateWriteError(`cannot write ${thing}: ${inWords(cause)}`, { where: path, hint, cause })
}

/** For an error on top of another one: it is reported, and does not replace the error that is thrown. */
export const saidBesides =
  ({ say }: Pick<System, 'say'>) =>
  (error: unknown): Promise<void> =>
    say(asOurs(error).describe())
