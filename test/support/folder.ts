import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where folders of single tests begin: in memory where there is some, since an apply waits for the disk at every step. */
export const FOLDER = join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'deploymgmt-')
