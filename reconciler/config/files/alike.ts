import { readdir } from 'node:fs/promises'
import { dirname, join, parse, relative, sep } from 'node:path'

/**
 * The folders of the files that are read, and those that are laid out like them below the current folder, or below what
 * all of them have in common if they are elsewhere: where `teams/a/production` is read, also `teams/b/production`.
 */
export const foldersAlike = async (paths: readonly string[], cwd: string): Promise<string[]> => {
  const folders = [...new Set(paths.map((path) => dirname(path)))]
  const common = folders.reduce(commonOf, folders[0] ?? cwd)
  const top = isRoot(cwd) || !isWithin(common, cwd) ? common : cwd
  // Whatever else a machine has is no layout of manifests.
  if (isRoot(top)) return folders
  const alike = await Promise.all(
    folders.map((folder) => likeIt(top, folder === top ? [] : relative(top, folder).split(sep))),
  )
  return [...new Set([...folders, ...alike.flat()])]
}

/** Folders in which one part of the path is another one. */
const likeIt = async (top: string, parts: readonly string[]): Promise<string[]> => {
  const found = await Promise.all(
    parts.map(async (_, index) => {
      const above = join(top, ...parts.slice(0, index))
      const below = parts.slice(index + 1)
      return (await foldersIn(above)).map((each) => join(above, each, ...below))
    }),
  )
  return found.flat()
}

const isRoot = (folder: string): boolean => folder === parse(folder).root

const isWithin = (folder: string, other: string): boolean =>
  folder === other || folder.startsWith(isRoot(other) ? other : other + sep)

/** A root if nothing is in common: each drive of Windows has its own. */
const commonOf = (one: string, other: string): string =>
  isRoot(one) || isWithin(other, one) ? one : commonOf(dirname(one), other)

const foldersIn = async (folder: string): Promise<string[]> => {
  const inside = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return inside
    .filter((each) => each.isDirectory() && !each.name.startsWith('.') && each.name !== 'node_modules')
    .map(({ name }) => name)
}
