import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** What a build has read and written; paths from the root. */
export interface Built {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
}

/** What is kept of a build, with the time at which it began: an input that was changed later may not be in it. */
interface Kept extends Built {
  readonly begun: number
}

/**
 * Builds, unless all outputs of the last build are there and none of its inputs has changed since it began. Answers
 * whether there was anything to do.
 *
 * @param kept the file that knows of the last build
 */
export const unlessFresh = async (
  root: string,
  kept: string,
  build: () => Promise<Built>,
): Promise<boolean> => {
  if (await isFresh(root, kept)) return false
  await mkdir(dirname(kept), { recursive: true })
  // What comes to no end knows of no build; and files have a clock of their own, which lags behind ours.
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
    // One of them, or what is kept of them, is not there.
    return false
  }
}
