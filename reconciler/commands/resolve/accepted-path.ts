import { join, resolve } from 'node:path'
import type { Head } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import { folderOf } from './state.ts'

const ACCEPTED_FILE = 'deploymgmt.accepted.yaml'

/**
 * The absolute path of the file of accepted drift: from `--accepted`, or beside the first manifest.
 *
 * @param head undefined if there is no manifest
 */
export const acceptedPath = async (
  { cwd }: Pick<Io, 'cwd'>,
  named: string | undefined,
  head: Head | undefined,
): Promise<string> =>
  named === undefined ? join(await folderOf(head, cwd), ACCEPTED_FILE) : resolve(cwd, named)
