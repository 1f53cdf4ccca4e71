import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The inputs and outputs of a build; paths from the root. */
export interface Built {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
}

/** The record of a build, with its start time: an input that was changed later may not be in it. */
interface Kept extends Built {
  readonly begun: number
}

/**
 * Builds, unless all outputs of the last build exist and none of its inputs has changed since it started. Returns
 * whether a build was necessary.
 *
 * @param kept the file with the record of the last build
 */
export const unlessFresh = async (
  root: string,
  kept: string,
  build: () => Promise<Built>,
): Promise<boolean> => {
  if (await isFresh(root, kept)) return false
  await mkdir(dirname(kept), { recursive: true })
  // Cleared first, so that an aborted build leaves no record. The start is the file's own time, because the clock of
  // the file system lags behind ours.
  await writeFile(kept, '')
  const begun = (await stat(kept)).mtimeMs
  const built = await build()
  await writeFile(kept, JSON.stringify({ begun, ...built } satisfies Kept))
  return true
}

const isFresh = async (root: string, kept: string): Promise<boolean> => {
  try {
    const { begun, inputs, outputs } = JSON.parse(await readFile(kept, 'utf8')) as Kept
    const timeOf = async (path: string): Promise<number> => (await stat(join(root, path))).mtimeMs
    const [times] = await Promise.all([inputs, outputs].map((paths) => Promise.all(paths.map(timeOf))))
    return times?.every((time) => time < begun) === true
  } catch {
    // An input, an output or the record is missing.
    return false
  }
}
