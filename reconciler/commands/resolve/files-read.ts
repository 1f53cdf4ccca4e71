import { isAbsolute, join, relative, sep } from 'node:path'
import type { LoadedDeclaration } from '../../config/index.ts'
import { nodeFiles } from '../../disk/files.ts'
import type { Io } from '../../io.ts'
import { checkoutOf } from '../../state/index.ts'
import { ownFolderOf } from './state.ts'

type At = Pick<Io, 'cwd'>

/**
 * The manifests that were read, as a state keeps them. Files elsewhere are left out: their paths are those of one
 * machine.
 */
export const filesRead = async (
  io: At,
  { head, paths }: Pick<LoadedDeclaration, 'head' | 'paths'>,
): Promise<string[]> => {
  const top = await topOf(io, head)
  return paths.flatMap((path) => {
    const parts = relative(top, path).split(sep)
    return parts[0] === '..' || isAbsolute(parts.join(sep)) ? [] : [parts.join('/')]
  })
}

/** The paths of the manifests that a state keeps. */
export const pathsKept = async (
  io: At,
  { head }: Pick<LoadedDeclaration, 'head'>,
  files: readonly string[] = [],
): Promise<string[]> => {
  const top = await topOf(io, head)
  return files.map((file) => join(top, file))
}

/** The same from each folder of a checkout, and on each machine that has one. */
const topOf = async ({ cwd }: At, head: LoadedDeclaration['head']): Promise<string> =>
  (await checkoutOf(nodeFiles, await ownFolderOf(head, cwd))) ?? cwd
