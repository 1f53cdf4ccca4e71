import { join, resolve } from 'node:path'
import type { Head } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import { folderOf } from './state-meant.ts'

const ACCEPTED_FILE = 'deploymgmt.accepted.yaml'

/**
 * Where accepted drift is: the file that `--accepted` names, or the one beside the first manifest. Absolute.
 *
 * @param head nothing where there is no manifest
 */
export const acceptedPath = async (
  { cwd }: Pick<Io, 'cwd'>,
  named: string | undefined,
  head: Head | undefined,
): Promise<string> =>
  named === undefined ? join(await folderOf(head, cwd), ACCEPTED_FILE) : resolve(cwd, named)
