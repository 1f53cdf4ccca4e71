import { dirname, resolve } from 'node:path'
import { kinds } from '@deploymgmt/provider/kinds'
import { ManifestNotFoundError } from '../../errors/index.ts'
import { groupBy } from '../../text/group-by.ts'
import type { Io } from '../../io.ts'
import { manifestsIn } from '../../config/index.ts'
import { sameFlagsOf, type CommonOptions, type SameFlags } from '../line/options.ts'

interface Done {
  readonly isRecorded: boolean
  /** Whether everything declared is recorded by then. */
  readonly isWhole: boolean
  /** Files that adopt wrote, now or earlier. */
  readonly adopted: readonly string[]
}

/** The next command, with the flags to read all files. */
export const nextAfter = async (
  io: Pick<Io, 'cwd'>,
  options: SameFlags,
  { isRecorded, isWhole, adopted }: Done,
): Promise<string> => {
  const flags = await flagsReading(io, options, adopted)
  return isRecorded
    ? `All ${isWhole ? 'of it' : 'that it declares'} is recorded. Next: deploymgmt plan${flags}`
    : `None of it is recorded yet. An apply records it, along with everything else that a plan shows. Next: deploymgmt plan${flags}`
}

/**
 * The flags, each after a space, with which a later command reads these files, too.
 *
 * @param adopted files that belong to the named ones, and are named with them
 */
export const flagsReading = async (
  io: Pick<Io, 'cwd'>,
  options: SameFlags,
  adopted: readonly string[],
): Promise<string> => {
  const file = withoutTwice(io, options, adopted)
  const files = await asFolder(io, { ...options, file }, adopted)
  return sameFlagsOf({ ...options, file: files })
}

/** A named folder already includes the files that were written into it. */
const withoutTwice = (
  { cwd }: Pick<Io, 'cwd'>,
  { file }: Pick<CommonOptions, 'file'>,
  adopted: readonly string[],
): string[] => {
  const own = new Set(adopted.map((each) => resolve(cwd, each)))
  const named = new Set(file.map((each) => resolve(cwd, each)))
  return file.filter((each) => {
    const path = resolve(cwd, each)
    return !(own.has(path) && named.has(dirname(path)))
  })
}

/**
 * Replaces more than a few files of a folder by the folder, if they are all of its manifests. Not if a person has named
 * another file besides one of them: it may be an overlay of that one, and files of a folder do not overlay each
 * other.
 */
const asFolder = async (
  { cwd }: Pick<Io, 'cwd'>,
  { file, varFile }: Pick<CommonOptions, 'file' | 'varFile'>,
  adopted: readonly string[],
): Promise<readonly string[]> => {
  const own = new Set(adopted.map((each) => resolve(cwd, each)))
  const isOwn = (each: string): boolean => own.has(resolve(cwd, each))
  const named = file.filter((each) => !isOwn(each))
  let files = file
  for (const those of groupBy(file, (each) => dirname(resolve(cwd, each)))) {
    const [folder, paths] = [dirname(those[0] ?? ''), new Set(those.map((each) => resolve(cwd, each)))]
    if (paths.size <= FEW || (named.length > 1 && !those.every(isOwn))) continue
    // The plan that reads the folder reports files that cannot be read.
    const all = await manifestsIn(folder, { cwd, others: varFile }, kinds).catch((error: unknown) => {
      if (error instanceof ManifestNotFoundError) return []
      throw error
    })
    const isSame = all.length === paths.size && all.every((each) => paths.has(resolve(cwd, each)))
    if (isSame)
      files = files.flatMap((each) => (each === those[0] ? [folder] : those.includes(each) ? [] : [each]))
  }
  return files
}

const FEW = 3
