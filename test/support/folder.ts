import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The beginning of a test's folder: in memory if possible, since an apply waits for the disk at every step. */
export const FOLDER = join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'deploymgmt-')

/** The cache of compiled code that all processes share: without it, each would compile everything that it runs. */
export const XDG_CACHE_HOME = join(
  import.meta.dirname,
  '..',
  '..',
  'node_modules',
  '.cache',
  'deploymgmt-test',
)
